import type { DecisionFacts } from "@loopwright/protocol";
import { schedule } from "../schedule/schedule.ts";
import { isTerminal, type State } from "../state/state.ts";
import { limitStop } from "../stop/limits.ts";
import { noProgressStop } from "../stop/no-progress.ts";
import { isAsked, verificationDue } from "./launch.ts";

export interface Waiting {
  readonly for: "paused" | "hold" | "retry" | "question";
  /** `hold`: when the first account may be used again. */
  readonly until?: string;
  /** `retry`: milliseconds before the shell asks again with `next`. */
  readonly ms?: number;
}

/** Before the second and the third verification of a claim whose last one errored. */
const BACK_OFF_MS = [1000, 5000];

/**
 * Why nothing was decided although a worker waits. Ask it after `react` had nothing to assign: after `retry` the shell
 * waits `ms` and asks with `next`, which then starts the verification without looking at the time.
 */
export function waiting(state: State, facts: DecisionFacts): Waiting | null {
  if (isTerminal(state) || state.task !== null) return null;
  if (state.paused !== null) return { for: "paused" };
  const due = verificationDue(state);
  const errors = state.gate.errors_in_row;
  if (due === "claim" && errors > 0)
    return { for: "retry", ms: BACK_OFF_MS[Math.min(errors, BACK_OFF_MS.length) - 1] ?? 0 };
  if (due !== null) return null;
  if (isAsked(state)) return { for: "question" };
  if (limitStop(state, null, facts) !== null || noProgressStop(state) !== null) return null;
  const choice = schedule(state.rules.workflows, state.workflows, state.iterations, facts);
  return choice.kind === "hold" ? { for: "hold", until: choice.until } : null;
}
