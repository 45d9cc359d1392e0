import { existsSync } from "node:fs";
import type { ProcessIdentity } from "@loopwright/protocol";
import { stopAttempt } from "../../process/stop-ladder.ts";
import type { IterationLayout } from "../../store/iteration-layout.ts";
import {
  isStill,
  type LiveTask,
  type Recovered,
  type RecoveryContext,
  SETTLED,
} from "./context.ts";
import { writeRecovery } from "./recovery-file.ts";

export interface Abandonment {
  readonly shim: ProcessIdentity | undefined;
  /** What can't be seen from here is taken for gone: a person said so. */
  readonly assumeGone: boolean;
  readonly reason: string;
}

/** Step 4: ends what is left of an attempt, and only when nothing of it runs any more records that it is abandoned. */
export async function abandonAttempt(
  context: RecoveryContext,
  task: LiveTask,
  files: Pick<IterationLayout, "directory" | "recovery" | "process">,
  { shim, assumeGone, reason }: Abandonment,
): Promise<Recovered> {
  const { processes, clock } = context.seams;
  const { ended, survivors } = await stopAttempt({
    processes,
    clock,
    marker: task.attempt_id,
    ...(shim === undefined || assumeGone ? {} : { shim }),
    signal: context.hurry,
  });
  if (!isStill(context, task)) return SETTLED;
  if (survivors.length > 0) {
    writeRecovery(context, files, task, "abandoned", `${reason} Something of it may still run.`, {
      ended,
      survivors,
    });
    return { kind: "leftovers", survivors };
  }
  writeRecovery(context, files, task, "abandoned", reason, { ended, survivors });
  context.commit({
    kind: "abandoned",
    abandoned: {
      kind: task.kind,
      workflow_id: task.kind === "workflow" ? task.workflow_id : null,
      iteration: task.iteration,
      attempt_id: task.attempt_id,
      cause: "crash",
      reason,
      started: shim !== undefined || existsSync(files.process),
      live_ms: context.liveMs(),
    },
  });
  return SETTLED;
}
