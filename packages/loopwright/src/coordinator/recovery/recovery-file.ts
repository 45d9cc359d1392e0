import { existsSync } from "node:fs";
import { type RecoveryFile, LoopwrightError } from "@loopwright/protocol";
import type { EndedProcess } from "../../process/stop-ladder.ts";
import { timestamp } from "../../seams/clock.ts";
import { writeDurable } from "../../store/durable-write.ts";
import type { IterationLayout } from "../../store/iteration-layout.ts";
import type { LiveTask, RecoveryContext } from "./context.ts";

/** `recovery.json` says to people what recovery did. Nothing is decided by it: a full disk doesn't stop recovery here. */
export function writeRecovery(
  { seams }: RecoveryContext,
  files: Pick<IterationLayout, "directory" | "recovery">,
  task: LiveTask,
  action: RecoveryFile["action"],
  reason: string,
  processes: { ended: readonly EndedProcess[]; survivors: readonly EndedProcess[] } = {
    ended: [],
    survivors: [],
  },
): void {
  if (!existsSync(files.directory)) return;
  const file: RecoveryFile = {
    schema_version: 1,
    attempt_id: task.attempt_id,
    action,
    reason,
    ended: processes.ended.map(nameOf),
    survivors: processes.survivors.map(nameOf),
    at: timestamp(seams.clock),
  };
  try {
    writeDurable(seams.disk, files.recovery, `${JSON.stringify(file, undefined, 2)}\n`);
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
  }
}

function nameOf({ pid, command }: EndedProcess): { pid: number; command: string } {
  return { pid, command };
}
