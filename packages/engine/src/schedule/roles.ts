import type { SchedulingRules } from "@loopwright/protocol";

/** It looks at the goal instead of working on it: its iterations are neutral to progress, its failures only bench it. */
export function isEvaluating(
  workflow: Pick<SchedulingRules, "emits_goal_check" | "run_when_requested">,
): boolean {
  return workflow.emits_goal_check || workflow.run_when_requested;
}

/** Neither evaluating nor planning. */
export function isImplementing(
  workflow: Pick<SchedulingRules, "emits_goal_check" | "run_when_requested" | "plans">,
): boolean {
  return !isEvaluating(workflow) && !workflow.plans;
}
