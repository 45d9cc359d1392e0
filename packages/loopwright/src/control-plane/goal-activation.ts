import { goalFile, type GoalFile, LoopwrightError } from "@loopwright/protocol";
import { timestamp } from "../seams/clock.ts";
import type { GoalLayout } from "../store/layout.ts";
import { readJsonIfPresent } from "../store/read.ts";
import { changeExistingFile, type FileSeams } from "./shared-file.ts";

export type Activation = GoalFile["activation"];

/** Undefined when the runtime root has no record of the goal. Throws FILE_INVALID, FILE_UNSAFE or SCHEMA_NEWER. */
export function readActivation(goal: GoalLayout): Activation | undefined {
  return readJsonIfPresent(goal.goalJson, goalFile)?.activation;
}

/** Returns what it is now. Throws GOAL_NOT_FOUND where nothing is recorded: a goal isn't made by disabling it. */
export async function setActivation(
  seams: FileSeams,
  goal: GoalLayout,
  goalId: string,
  { state, reason }: Pick<Activation, "state" | "reason">,
): Promise<Activation> {
  const changed = await changeGoalFile(seams, goal, goalId, (file) =>
    file.activation.state === state && file.activation.reason === reason
      ? file
      : { ...file, activation: { state, reason, updated_at: timestamp(seams.clock) } },
  );
  return changed.activation;
}

/** Rewrites `goal.json` under its lock; unknown fields stay. The same object back: nothing is written. */
export async function changeGoalFile(
  seams: FileSeams,
  goal: GoalLayout,
  goalId: string,
  change: (file: GoalFile) => GoalFile,
): Promise<GoalFile> {
  let result: GoalFile | undefined;
  await changeExistingFile(seams, goal.goalJson, () => {
    const file = readJsonIfPresent(goal.goalJson, goalFile);
    if (file === undefined) return undefined;
    result = change(file);
    return result === file ? undefined : renderGoalFile(result);
  });
  if (result !== undefined) return result;
  throw new LoopwrightError("GOAL_NOT_FOUND", `${goal.goalJson} doesn't exist`, {
    where: goal.goalJson,
    hint: `Register goal ${JSON.stringify(goalId)} in its repository: loopwright init`,
  });
}

export function renderGoalFile(file: GoalFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}
