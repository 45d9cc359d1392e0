import { existsSync } from "node:fs";
import { dirname, relative } from "node:path";
import type { IterationLayout } from "../../store/iteration-layout.ts";
import {
  isStill,
  type LiveTask,
  type Recovered,
  type RecoveryContext,
  SETTLED,
} from "./context.ts";
import { writeRecovery } from "./recovery-file.ts";

/**
 * Step 2: the agent never started and never will. The directory makes room, and the number is used again.
 * A crash before the commit leaves a moved directory and a live task: the next recovery finds no directory and commits.
 */
export function withdrawTask(
  context: RecoveryContext,
  task: LiveTask,
  files: IterationLayout,
): Recovered {
  if (!isStill(context, task)) return SETTLED;
  const directory = existsSync(files.directory) ? moveAside(context, task, files) : null;
  context.commit({
    kind: "withdrawn",
    withdrawn: {
      kind: task.kind,
      attempt_id: task.attempt_id,
      iteration: task.iteration,
      directory,
    },
  });
  return SETTLED;
}

function moveAside(context: RecoveryContext, task: LiveTask, files: IterationLayout): string {
  writeRecovery(context, files, task, "withdrawn", "Its worker died before the agent was started.");
  let k = 1;
  while (existsSync(files.withdrawn(k))) k += 1;
  const to = files.withdrawn(k);
  context.seams.disk.rename(files.directory, to);
  context.seams.disk.syncDirectory(dirname(to));
  return relative(context.layout.directory, to);
}
