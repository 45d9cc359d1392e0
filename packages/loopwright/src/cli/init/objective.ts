import { join } from "node:path";
import { objectiveOf, OBJECTIVE_PENDING } from "../../control-plane/active-state/index.ts";
import { loadGoalText } from "../../control-plane/project/load-goal-text.ts";
import { titleOf } from "../../control-plane/project/load-project.ts";

/** Title and objective of the goal text as `init` finds it; its own empty one gives neither yet. */
export function initialObjective(root: string): { title: string; objective: string } {
  const { text } = loadGoalText(root, join(".loopwright", "goal.md"), "");
  return text === undefined
    ? { title: "", objective: OBJECTIVE_PENDING }
    : { title: titleOf(text), objective: objectiveOf(text) };
}
