import type { Explanation, SchedulingRules } from "@loopwright/protocol";
import type { Counters } from "../state/counters.ts";
import { type Eligibility, eligibility, type SchedulingFacts } from "./eligibility.ts";
import { byDue, byRank } from "./rank.ts";

export type Schedule =
  | { readonly kind: "run"; readonly workflow: SchedulingRules; readonly explanation: Explanation }
  /** All that could run wait for their accounts. */
  | { readonly kind: "hold"; readonly until: string; readonly explanation: Explanation }
  | { readonly kind: "none"; readonly explanation: Explanation };

/**
 * What runs next after `n` completed iterations: the best of the eligible; if nothing is eligible, of those that only
 * the rules about turns forbid, the one that comes due first.
 */
export function schedule(
  workflows: readonly SchedulingRules[],
  counters: Counters,
  n: number,
  facts: SchedulingFacts,
): Schedule {
  const all = workflows.map((workflow) => eligibility(workflow, counters, n, facts));
  const eligible = all.filter((each) => each.eligible);
  const yielded = eligible.length === 0;
  const candidates = yielded ? all.filter((each) => each.turnsOnly) : eligible;
  const free = candidates.filter((each) => each.heldUntil === null);
  const [best, second] = free.toSorted(yielded ? byDue : byRank);
  if (best !== undefined) {
    const reason = yielded
      ? `nothing is eligible, and ${best.workflow.id} comes due first`
      : whyBest(best, second);
    return {
      kind: "run",
      workflow: best.workflow,
      explanation: explain(all, best.workflow.id, yielded, reason),
    };
  }
  const [first] = candidates.map((each) => each.heldUntil ?? "").toSorted();
  if (first === undefined) {
    return { kind: "none", explanation: explain(all, null, false, "no workflow is eligible") };
  }
  return {
    kind: "hold",
    until: first,
    explanation: explain(
      all,
      null,
      yielded,
      `every eligible workflow waits for its account, the first until ${first}`,
    ),
  };
}

function whyBest(best: Eligibility, second: Eligibility | undefined): string {
  const { id, priority } = best.workflow;
  if (second === undefined) return `${id} is the only eligible workflow`;
  const other = second.workflow;
  if (priority !== other.priority)
    return `${id} has the highest priority of the eligible, ${priority} before ${other.id} with ${other.priority}`;
  if (best.lastStart !== second.lastStart) {
    return best.lastStart === null
      ? `${id} has never started`
      : `${id} has waited longest, since iteration ${best.lastStart}`;
  }
  return `${id} comes first by name`;
}

function explain(
  all: readonly Eligibility[],
  chosen: string | null,
  yielded: boolean,
  reason: string,
): Explanation {
  return {
    chosen,
    reason,
    yielded,
    workflows: all.map((each) => ({
      workflow_id: each.workflow.id,
      eligible: each.eligible && each.heldUntil === null,
      rules: each.rules,
    })),
  };
}
