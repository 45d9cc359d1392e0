import { join } from "node:path";
import { type StopMode } from "@loopwright/protocol";
import { readProcessFile } from "../process/attempt-files.ts";
import { stopAttempt } from "../process/stop-ladder.ts";
import { writeDurable } from "../store/durable-write.ts";
import { iterationLayout, type IterationLayout } from "../store/iteration-layout.ts";
import type { ProcessRecord } from "@loopwright/protocol";
import { isSeatDead, type Recoverer } from "./recoverer.ts";
import { abandonAttempt } from "./recovery/abandon.ts";
import { isStill, type LiveTask } from "./recovery/context.ts";
import type { Seams } from "./seams.ts";
import type { Service } from "./service.ts";
import type { SessionLayout } from "../store/session-layout.ts";

export interface EndingParts {
  readonly seams: Seams;
  readonly layout: SessionLayout;
  readonly service: Service;
  readonly recoverer: Recoverer;
}

/** How long a living worker has to report that its attempt was ended under it. Monotonic ms. */
const REPORT_PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 50;

/**
 * Ends the live task for `stop --now` and `--kill`, after the stop was committed. `now` asks its worker through
 * `cancel.json`; `kill` runs the ladder here. Where the worker is dead, both end the attempt here.
 * A crash after the commit leaves a live task and a requested stop: the next coordinator does this again.
 */
export async function endLiveTask(
  parts: EndingParts,
  mode: Exclude<StopMode, "graceful">,
): Promise<void> {
  const { service, recoverer } = parts;
  const { task } = service.state();
  if (task === null) return;
  const files = iterationLayout(join(parts.layout.directory, task.directory));
  writeCancel(parts, files, task, mode);
  recoverer.hurry();
  if (isSeatDead(parts.seams, service)) {
    await recoverer.exclusively(async (recover) => {
      if (isSeatDead(parts.seams, service)) await recover({ worker: false, foreign: false });
    });
  } else if (mode === "kill") {
    await killUnderWorker(parts, files, task);
  }
  service.dispatch();
}

async function killUnderWorker(
  parts: EndingParts,
  files: IterationLayout,
  task: LiveTask,
): Promise<void> {
  const { clock, processes } = parts.seams;
  const context = parts.recoverer.context();
  const shim = processOf(files);
  const scope = {
    processes,
    clock,
    marker: task.attempt_id,
    ...(shim === undefined ? {} : { shim }),
  };
  await stopAttempt(scope);
  const deadline = clock.monotonic() + REPORT_PATIENCE_MS;
  while (isStill(context, task) && clock.monotonic() < deadline) await clock.sleep(LOOK_AGAIN_MS);
  if (!isStill(context, task)) return;
  await abandonAttempt(context, task, files, {
    shim,
    assumeGone: false,
    reason: "The session was killed, and its worker did not report in time.",
  });
}

/** The worker looks for it twice a second. When the disk refuses it, the worker isn't asked; `kill` works without. */
function writeCancel(
  { seams }: EndingParts,
  files: IterationLayout,
  task: LiveTask,
  mode: "now" | "kill",
): void {
  const text = `${JSON.stringify({ schema_version: 1, attempt_id: task.attempt_id, mode }, undefined, 2)}\n`;
  try {
    writeDurable(seams.disk, files.cancel, text);
  } catch {
    // No directory yet: the worker has the task and makes it; asked again by the tick.
  }
}

function processOf(files: IterationLayout): ProcessRecord | undefined {
  try {
    const file = readProcessFile(files.process);
    return file === undefined || "withdrawn" in file ? undefined : file;
  } catch {
    return undefined;
  }
}
