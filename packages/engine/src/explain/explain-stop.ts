import { plural, type StopReason } from "@loopwright/protocol";
import type { State } from "../state/state.ts";
import { checksAge } from "./checks-age.ts";

/** What stopped a session, its numbers, and the command that continues it; empty while it runs. */
export function explainStop(state: State): string[] {
  if (state.stop_reason === null) return [];
  const { limits, iterations } = state;
  return [
    `${headOf(state, state.stop_reason)} ${state.stop_detail ?? ""}`.trimEnd(),
    `${iterations} of ${plural(limits.max_iterations, "iteration")}, ${spendingOf(state)}, ${plural(state.gate.verifications, "verification")}.`,
    ...lastChecks(state),
    ...openGuidance(state),
    continuation(state.stop_reason, state),
  ];
}

function headOf({ status, verified, stop_detail }: State, reason: StopReason): string {
  if (status === "goal_met")
    return verified === true ? "Goal met, and verified." : "Goal met, but nothing verified it.";
  // A limit's detail begins with its name.
  return stop_detail?.startsWith(`${reason} `) === true
    ? `The session is ${status}:`
    : `The session is ${status} (${reason}).`;
}

/** What isn't known is said as such: a sum without it would look like all that was spent. */
function spendingOf({ spent, limits }: State): string {
  const tokens =
    spent.unknown_tokens === 0
      ? plural(spent.tokens, "token")
      : spent.tokens === 0
        ? "tokens unknown"
        : `${plural(spent.tokens, "token")} known`;
  const limit = limits.max_cost_usd === null ? "" : ` of $${limits.max_cost_usd}`;
  if (spent.unknown_cost === 0) return `${tokens}, $${spent.cost_usd.toFixed(2)}${limit}`;
  if (spent.tokens === 0 && spent.cost_usd === 0) return "tokens and cost unknown";
  return `${tokens}, $${spent.cost_usd.toFixed(2)}${limit} known and ${plural(spent.unknown_cost, "iteration")} of unknown cost`;
}

function lastChecks(state: State): string[] {
  const { gate } = state;
  if (gate.last === null) return [];
  const checks = gate.last.receipt.checks.map((check) => `${check.id} ${check.outcome}`).join(", ");
  return [`The last checks, ${checksAge(state)}: ${checks} (${gate.last.directory}).`];
}

const SHOWN_GUIDANCE = 3;

/** A met goal leaves behind what no iteration has dealt with; any other end only puts it off. */
function openGuidance({ inputs, status }: State): string[] {
  const shown = inputs.slice(0, SHOWN_GUIDANCE).map(({ text, delivered }) => {
    const what =
      delivered.length === 0
        ? status === "goal_met"
          ? "Guidance that reached no iteration"
          : "Guidance that waits for the next iteration"
        : "Guidance that no iteration has dealt with";
    return `${what}: ${text.replace(/\s+/g, " ").trim().slice(0, 100)}`;
  });
  const more = inputs.length - shown.length;
  return more > 0 ? [...shown, `And ${more} more like it.`] : shown;
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

/** The command that goes on after it. */
export function continuation(reason: StopReason, { gate }: State): string {
  // A check that was never run can't be what has to be mended.
  if (reason === "gate_error" && gate.problem !== null)
    return "Settle what it names, then: loopwright resume";
  return CONTINUATIONS[reason];
}
