import { type DriftSeverity, type NextActionWarning, SCHEMA_VERSION } from "@loopwright/protocol";
import { compareActions } from "./compare-actions.ts";
import { nextActionReason } from "./next-action-reason.ts";

export interface NextActionFacts {
  /** First entry under `## Next Action`. */
  readonly activeStateNextAction: string | null | undefined;
  /** Of a run that is newer than the last move of the next action. */
  readonly latestRunRecommendedAction: string | null | undefined;
  /** Whether the recommending workflow plans. One that doesn't can't move the next action: its word is `info`. */
  readonly recommendedByPlanner?: boolean;
  /** For the command that settles it. */
  readonly goalId?: string;
}

/** The warning that two texts disagree; null if they are aligned or either says nothing. */
export function nextActionProjectionWarning({
  activeStateNextAction,
  latestRunRecommendedAction,
  recommendedByPlanner = true,
  goalId = "GOAL",
}: NextActionFacts): NextActionWarning | null {
  const [state, run] = [activeStateNextAction ?? "", latestRunRecommendedAction ?? ""];
  const comparison = compareActions(state, run);
  if (comparison.verdict !== "diverged") return null;
  const { divergence, cause, differing } = comparison;
  const grave = divergence === "negated" || divergence === "different_target";
  const severity: DriftSeverity = !recommendedByPlanner ? "info" : grave ? "action" : "watch";
  return {
    schema_version: SCHEMA_VERSION,
    kind: "next_action_projection_mismatch",
    severity,
    divergence,
    requires_state_writeback: severity !== "info",
    active_state_next_action: state,
    latest_run_recommended_action: run,
    reason: nextActionReason(cause, differing),
    recommended_action: `Make the run's recommendation the next action: loopwright resolve ${goalId} --take run. Or keep the next action as it stands: loopwright resolve ${goalId} --take state.`,
    differing: { only_in_state: differing.only_in_a, only_in_run: differing.only_in_b },
  };
}
