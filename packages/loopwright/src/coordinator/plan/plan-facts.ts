import {
  type Finished,
  nextActionProjectionWarning,
  type Plan,
  type State,
} from "@loopwright/engine";
import type { NextActionWarning, RecordData } from "@loopwright/protocol";
import {
  actionLine,
  digestOfText,
  withNextAction,
} from "../../control-plane/active-state/index.ts";
import type { StateNow } from "./state-now.ts";

export interface PlanFactsOptions {
  /** Somebody moved the next action while the workflow ran, so that it knew another one. */
  readonly movedMeanwhile: boolean;
  readonly at: string;
}

/** What a finished iteration's report means for the next action; undefined when it means nothing. Pure. */
export function planFacts(
  { rules, goal_id }: Pick<State, "rules" | "goal_id">,
  { workflow_id, iteration, report }: Finished,
  now: StateNow,
  { movedMeanwhile, at }: PlanFactsOptions,
): Plan | undefined {
  const plans = rules.workflows.find(({ id }) => id === workflow_id)?.plans === true;
  if (!plans || report.state !== "valid") return undefined;
  const recommended = report.value.recommended_action ?? "";
  const action = actionLine(recommended);
  if (action === "") return undefined;
  const nextAction = now.nextActions[0]?.text;
  const resolved = (take: "state" | "run"): RecordData<"drift_resolved"> => ({
    kind: "next_action_projection_mismatch",
    take,
    by: workflow_id,
  });
  if (nextAction === action) return { resolved: resolved("state") };
  const warning = nextActionProjectionWarning({
    activeStateNextAction: nextAction,
    latestRunRecommendedAction: recommended,
    goalId: goal_id,
  });
  const drift = warning === null ? {} : { drift: mismatchRecord(warning, iteration, workflow_id) };
  if (movedMeanwhile) return drift;
  const moved = moveTo(now, action, { iteration, by: workflow_id, at });
  return { moved, resolved: resolved("run"), ...drift };
}

/** The record of a move of the next action, as the active state stands. */
export function moveTo(
  now: { readonly text: string; readonly digest: string | null },
  action: string,
  { iteration, by, at }: { iteration: number; by: string; at: string },
): RecordData<"next_action_moved"> {
  return {
    from_sha256: now.digest,
    to_sha256: digestOfText(withNextAction(now.text, action, at)),
    text: actionLine(action),
    iteration,
    by,
    updated_at: at,
  };
}

function mismatchRecord(
  {
    kind,
    severity,
    active_state_next_action: state,
    latest_run_recommended_action: run,
    reason,
  }: NextActionWarning,
  iteration: number,
  workflowId: string,
): RecordData<"drift_detected"> {
  return {
    kind,
    severity,
    detail: `The next action is "${cut(state)}", but iteration ${iteration} (${workflowId}) recommends "${cut(run)}". ${reason} Whoever plans settles it: what your report recommends becomes the next action.`,
  };
}

function cut(text: string): string {
  return text.length > 600 ? `${text.slice(0, 599)}…` : text;
}
