import {
  nextActionProjectionWarning,
  proseWithoutTodoWarning,
  staleLatestRunWarning,
} from "@loopwright/engine";
import type { DriftWarning, NextActionWarning, RunRow } from "@loopwright/protocol";
import { digestOfText } from "../active-state/parse-active-state.ts";

export interface PlanFacts {
  readonly goalId: string;
  /** Null: there is no `ACTIVE_STATE.md`. */
  readonly activeState: {
    readonly digest: string;
    readonly nextAction: string | null;
    readonly openTodos: { readonly you: number; readonly agent: number };
  } | null;
  /** The newest run. */
  readonly latest: RunRow | null;
  /** The newest run that recommends something. */
  readonly recommending: RunRow | null;
}

/** Where plan and runs disagree. Those of severity `info` are only to know: a healthy loop has no others. Pure. */
export function planDrift({
  goalId,
  activeState,
  latest,
  recommending,
}: PlanFacts): DriftWarning[] {
  const nextAction = activeState?.nextAction ?? null;
  // What LoopX noted is the digest of another file; an empty one isn't known any more.
  const comparable = latest !== null && /^[0-9a-f]{64}$/.test(latest.state_digest);
  const found = [
    nextActionMismatch(goalId, nextAction, recommending),
    staleLatestRunWarning({
      goalId,
      latestRun: comparable ? latest : null,
      activeStateDigest: activeState?.digest ?? null,
    }),
    activeState === null
      ? null
      : proseWithoutTodoWarning({ goalId, nextAction, openTodos: activeState.openTodos }),
  ];
  return found.filter((warning) => warning !== null);
}

/**
 * Null also when the next action was moved after the run, by whomever: then the recommendation is the older one of the
 * two, and answered.
 */
export function nextActionMismatch(
  goalId: string,
  nextAction: string | null,
  recommending: RunRow | null,
): NextActionWarning | null {
  if (recommending === null || nextAction === null) return null;
  const { next_action_digest: then, kind, plans, recommended_action } = recommending;
  if (then !== undefined && then !== digestOfText(nextAction)) return null;
  return nextActionProjectionWarning({
    activeStateNextAction: nextAction,
    latestRunRecommendedAction: recommended_action,
    // People's word counts as much as a planner's.
    recommendedByPlanner: plans ?? kind !== "iteration",
    goalId,
  });
}

/** The newest of them that recommends something. @param rows oldest first */
export function recommendingRun(rows: readonly RunRow[]): RunRow | null {
  return rows.findLast(({ recommended_action: action }) => (action ?? "") !== "") ?? null;
}
