import { existsSync } from "node:fs";
import { join } from "node:path";
import { LoopwrightError, type ProcessRecord, type StopMode } from "@loopwright/protocol";
import { readProcessFile } from "../process/attempt-files.ts";
import { stopAttempt } from "../process/stop-ladder.ts";
import { withdraw } from "../process/withdraw.ts";
import { makeDirectoryDurable, writeDurable } from "../store/durable-write.ts";
import { iterationLayout, type IterationLayout } from "../store/iteration-layout.ts";
import { isSeatDead, type Recoverer } from "./recoverer.ts";
import { abandonAttempt } from "./recovery/abandon.ts";
import { isStill, type LiveTask } from "./recovery/context.ts";
import type { Seams } from "./seams.ts";
import type { Service } from "./service.ts";
import type { SessionLayout } from "../store/session-layout.ts";

export type HardStop = Exclude<StopMode, "graceful">;

/** Carries `stop --now` and `--kill` out, after they were committed. */
export interface Ender {
  /**
   * Ends the live task, if a hard stop was asked for. `now` asks its worker through `cancel.json`; `kill` runs the ladder
   * here. Where the worker is dead, both end the attempt here. Asked again and again until the task is settled: a crash
   * after the commit, a disk that refused, or a worker that died meanwhile make no difference.
   */
  carryOut(): Promise<void>;
}

export interface EnderParts {
  readonly seams: Seams;
  readonly layout: SessionLayout;
  readonly service: Service;
  readonly recoverer: Recoverer;
}

/** How long a living worker has to report that its attempt was ended under it. Monotonic ms. */
const REPORT_PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 50;

export function createEnder(parts: EnderParts): Ender {
  const { service, recoverer, layout } = parts;
  const running = new Map<string, Promise<void>>();

  const end = async (task: LiveTask, mode: HardStop): Promise<void> => {
    const files = iterationLayout(join(layout.directory, task.directory));
    writeCancel(parts, files, task, mode);
    if (isSeatDead(parts.seams, service)) {
      recoverer.hurry();
      await recoverer.exclusively(async (recover) => {
        if (isSeatDead(parts.seams, service)) await recover({ worker: false, foreign: false });
      });
    } else if (mode === "kill") {
      await killUnderWorker(parts, files, task);
    }
    service.dispatch();
  };

  return {
    carryOut() {
      const { task, stop_requested } = service.state();
      if (task === null || stop_requested === null || stop_requested.mode === "graceful") {
        return Promise.resolve();
      }
      const key = `${task.attempt_id} ${stop_requested.mode}`;
      const known = running.get(key);
      if (known !== undefined) return known;
      const started = end(task, stop_requested.mode).finally(() => running.delete(key));
      running.set(key, started);
      return started;
    },
  };
}

async function killUnderWorker(
  parts: EnderParts,
  files: IterationLayout,
  task: LiveTask,
): Promise<void> {
  const { clock, processes } = parts.seams;
  const context = parts.recoverer.context();
  const shim = task.kind === "workflow" ? forestall(parts, files) : undefined;
  const scope = { processes, clock, marker: task.attempt_id };
  await stopAttempt(shim === undefined ? scope : { ...scope, shim });
  const deadline = clock.monotonic() + REPORT_PATIENCE_MS;
  while (isStill(context, task) && clock.monotonic() < deadline) await clock.sleep(LOOK_AGAIN_MS);
  if (!isStill(context, task)) return;
  await abandonAttempt(context, task, files, {
    shim,
    assumeGone: false,
    reason: "The session was killed, and its worker did not report in time.",
  });
}

/**
 * The shim of what was started. What wasn't yet never will be: a worker that was stopped in its tracks finds its place
 * taken when it wakes.
 */
function forestall({ seams }: EnderParts, files: IterationLayout): ProcessRecord | undefined {
  try {
    makeDirectoryDurable(seams.disk, files.directory);
    if (withdraw(files.process, seams.clock) === "withdrawn") return undefined;
    const file = readProcessFile(files.process);
    return file === undefined || "withdrawn" in file ? undefined : file;
  } catch (error) {
    if (error instanceof LoopwrightError) return undefined;
    throw error;
  }
}

/** The worker looks for it twice a second. No directory yet, or a disk that refuses: asked again by the tick. */
function writeCancel(
  { seams }: EnderParts,
  files: IterationLayout,
  task: LiveTask,
  mode: HardStop,
): void {
  if (!existsSync(files.directory) || existsSync(files.cancel)) return;
  const content = { schema_version: 1, attempt_id: task.attempt_id, mode };
  try {
    writeDurable(seams.disk, files.cancel, `${JSON.stringify(content, undefined, 2)}\n`);
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
  }
}
