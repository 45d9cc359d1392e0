import type { StopReason } from "@loopwright/protocol";
import { type State, isTerminal } from "../state/state.ts";
import { failureCapStop } from "./failure-cap.ts";

export interface Stop {
  readonly stop_reason: StopReason;
  /** One sentence for people. */
  readonly detail: string;
  /** For `goal_met`. */
  readonly verified?: boolean;
}

/** Verifications that may error in a row before the gate counts as broken. */
export const GATE_ERROR_CAP = 3;
/** Claims refused on one tree, and refused controls in a row, that end the session. */
export const REFUSAL_CAP = 3;

/**
 * Stop rules 1 to 5, the first that holds. They need no facts, so they hold whether or not a task could follow, and
 * also while paused. A claim that waits for its verdict comes before the rules behind it.
 */
export function decideStop(state: State): Stop | null {
  if (isTerminal(state) || state.task !== null) return null;
  const { claim, gate, unresolvable } = state;
  if (claim !== null && state.rules.gate.checks.length === 0) {
    return {
      stop_reason: "goal_met",
      detail: `${claim.workflow_id} claimed the goal in iteration ${claim.iteration}: ${claim.reason} (no checks exist, so nothing verified it)`,
      verified: false,
    };
  }
  if (state.stop_requested !== null && mayStopNow(state)) {
    return { stop_reason: "user_stop", detail: STOP_DETAIL[state.stop_requested.mode] };
  }
  if (claim !== null) {
    if (gate.errors_in_row < GATE_ERROR_CAP) return null;
    return {
      stop_reason: "gate_error",
      detail: `The verification of the claim errored ${gate.errors_in_row} times in a row; ${gate.problem === null ? "an error is neither pass nor fail" : `at last: ${gate.problem.replace(/\.$/, "")}`}.`,
    };
  }
  if (unresolvable !== null) {
    return {
      stop_reason: "unresolvable_error",
      detail: `${unresolvable.workflow_id} gave up in iteration ${unresolvable.iteration}: ${unresolvable.reason}`,
    };
  }
  return failureCapStop(state) ?? refusals(state);
}

const STOP_DETAIL = {
  graceful: "You asked it to stop after the iteration.",
  now: "You asked it to stop at once.",
  kill: "You asked it to be killed.",
} as const;

/** A graceful stop waits for the verdict of a claim, but not for a pause to end or for an errored gate to be mended. */
function mayStopNow(state: State): boolean {
  return (
    state.claim === null ||
    state.stop_requested?.mode !== "graceful" ||
    state.paused !== null ||
    state.gate.errors_in_row > 0
  );
}

function refusals({ gate }: State): Stop | null {
  if (gate.refused !== null && gate.refused.times >= REFUSAL_CAP) {
    return {
      stop_reason: "claim_refused",
      detail: `The goal was claimed ${gate.refused.times} times on one unchanged tree while its checks refuse it.`,
    };
  }
  if (gate.refused_controls_in_row >= REFUSAL_CAP) {
    return {
      stop_reason: "control_broken",
      detail: `${gate.refused_controls_in_row} requests to stop in a row were refused.`,
    };
  }
  return null;
}
