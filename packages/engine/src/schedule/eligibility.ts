import type { DecisionFacts, RuleVerdict, SchedulingRules } from "@loopwright/protocol";
import { type Counters, countersOf } from "../state/counters.ts";

/** The facts that scheduling reads. */
export type SchedulingFacts = Pick<DecisionFacts, "now" | "requests" | "holds">;

export interface Eligibility {
  readonly workflow: SchedulingRules;
  /** The rules that this workflow has, and those that fail, in the order of the design. */
  readonly rules: RuleVerdict[];
  /** Every rule but the hold passes. */
  readonly eligible: boolean;
  /** Only the rules about turns fail, so it may be asked to run before its turn. */
  readonly turnsOnly: boolean;
  /** Completed iterations at which the rules about turns pass. */
  readonly dueAt: number;
  /** Its account may not be used before this time. */
  readonly heldUntil: string | null;
  readonly lastStart: number | null;
}

const TURN_RULES: ReadonlySet<RuleVerdict["rule"]> = new Set(["not_before_iteration", "run_every"]);

/** Rules 1 to 6 of one workflow with `n` completed iterations. */
export function eligibility(
  workflow: SchedulingRules,
  counters: Counters,
  n: number,
  facts: SchedulingFacts,
): Eligibility {
  const own = countersOf(counters, workflow.id);
  const window = workflow.run_on_start && own.last_success === null;
  const rules: RuleVerdict[] = [];
  const say = (rule: RuleVerdict["rule"], passed: boolean, detail: string): void => {
    rules.push({ rule, passed, detail });
  };
  const sayUnlessOpen = (rule: RuleVerdict["rule"], passed: boolean, detail: string): void => {
    rules.push(
      window && !passed ? { rule, passed, detail, lifted: true } : { rule, passed, detail },
    );
  };

  if (!workflow.enabled) say("enabled", false, "disabled");
  if (own.benched)
    say("not_benched", false, `benched after ${own.failures_in_row} failures in a row`);
  if (workflow.not_before_iteration > 0) {
    say(
      "not_before_iteration",
      n >= workflow.not_before_iteration,
      `${n} of ${workflow.not_before_iteration} iterations done`,
    );
  }
  if (workflow.run_when_requested) {
    const request = facts.requests[workflow.id];
    const stands = request !== undefined && request !== own.consumed_request;
    sayUnlessOpen("run_when_requested", stands, stands ? "requested" : "no request");
  }
  if (workflow.must_follow !== undefined) {
    const due = follows(workflow.must_follow, workflow.id, counters);
    sayUnlessOpen("must_follow", due, followDetail(workflow.must_follow, due, counters));
  }
  if (workflow.run_after_successes !== undefined) {
    const { workflow: other, every } = workflow.run_after_successes;
    sayUnlessOpen(
      "run_after_successes",
      own.followed_successes >= every,
      `${own.followed_successes} of ${every} successes of ${other}`,
    );
  }
  const gap = Math.max(workflow.run_every, own.failures_in_row);
  const turnAt = own.last_start === null ? 0 : own.last_start + gap;
  say(
    "run_every",
    n >= turnAt,
    own.last_start === null
      ? "never started"
      : `${Math.max(0, n - own.last_start)} of ${gap} others since ${own.last_start}`,
  );

  const hold = facts.holds[workflow.id];
  const heldUntil = hold !== undefined && hold > facts.now ? hold : null;
  const failing = rules.filter((verdict) => !verdict.passed && verdict.lifted !== true);
  if (heldUntil !== null) say("not_held", false, `its account is held until ${heldUntil}`);
  return {
    workflow,
    rules,
    eligible: failing.length === 0,
    turnsOnly: failing.every((verdict) => TURN_RULES.has(verdict.rule)),
    dueAt: Math.max(workflow.not_before_iteration, turnAt),
    heldUntil,
    lastStart: own.last_start,
  };
}

/** `other` has succeeded after this workflow's own last success, or it has and this one never has. */
function follows(other: string, id: string, counters: Counters): boolean {
  const theirs = countersOf(counters, other).last_success;
  const own = countersOf(counters, id).last_success;
  return theirs !== null && (own === null || theirs > own);
}

function followDetail(other: string, due: boolean, counters: Counters): string {
  const at = countersOf(counters, other).last_success;
  if (at === null) return `${other} has not succeeded yet`;
  return due ? `${other} succeeded at ${at}` : `no success of ${other} since ${at}`;
}
