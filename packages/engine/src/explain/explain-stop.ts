import type { StopReason } from "@loopwright/protocol";
import type { State } from "../state/state.ts";

/** What stopped a session, its numbers, and the command that continues it; empty while it runs. */
export function explainStop(state: State): string[] {
  if (state.stop_reason === null) return [];
  const { limits, iterations } = state;
  const verified =
    state.verified === false ? " Nothing verified it: the session has no checks." : "";
  return [
    `The session is ${state.status}: ${state.stop_reason}. ${state.stop_detail ?? ""}${verified}`.trimEnd(),
    `${iterations} of ${limits.max_iterations} iterations, ${spendingOf(state)}, ${state.gate.verifications} verifications.`,
    ...lastChecks(state),
    continuation(state.stop_reason),
  ];
}

/** What isn't known is said as such: a sum without it would look like all that was spent. */
function spendingOf({ spent, limits }: State): string {
  const tokens =
    spent.unknown_tokens === 0
      ? `${spent.tokens} tokens`
      : spent.tokens === 0
        ? "tokens unknown"
        : `${spent.tokens} tokens known`;
  const limit = limits.max_cost_usd === null ? "" : ` of $${limits.max_cost_usd}`;
  if (spent.unknown_cost === 0) return `${tokens}, $${spent.cost_usd.toFixed(2)}${limit}`;
  if (spent.tokens === 0 && spent.cost_usd === 0) return "tokens and cost unknown";
  return `${tokens}, $${spent.cost_usd.toFixed(2)}${limit} known and ${spent.unknown_cost} iterations of unknown cost`;
}

function lastChecks({ gate }: State): string[] {
  if (gate.last === null) return [];
  const checks = gate.last.receipt.checks.map((check) => `${check.id} ${check.outcome}`).join(", ");
  return [`The last checks, in ${gate.last.directory}: ${checks}.`];
}

const CONTINUATIONS: Record<StopReason, string> = {
  goal_met: "A met goal is final. A new session: loopwright run --new",
  user_stop: "Continue: loopwright resume",
  unresolvable_error: "Settle what it names, then: loopwright resume",
  workflow_failure_cap: "Look at its last iterations (loopwright show), then: loopwright resume",
  gate_error: "Mend the checks (loopwright check), then: loopwright resume",
  claim_refused:
    "Look at the failing checks (loopwright check), give guidance (loopwright update), then: loopwright resume",
  control_broken: "Look at the refused requests (loopwright timeline), then: loopwright resume",
  max_iterations: "Continue: loopwright resume --max-iterations +20",
  max_wall_clock: "Continue: loopwright resume --max-wall-clock +4h",
  max_tokens: "Continue: loopwright resume --max-tokens +1000000",
  max_cost_usd: "Continue: loopwright resume --max-cost-usd +5",
  no_progress: "Give it another direction (loopwright update), then: loopwright resume",
  no_eligible_workflow: "Change the schedule, then: loopwright run --new",
  baseline_green:
    "Add a check that fails today, or set gate.baseline: allow_green, then: loopwright run",
  baseline_error: "Mend the check (loopwright check), then: loopwright run",
};

function continuation(reason: StopReason): string {
  return CONTINUATIONS[reason];
}
