import type { Cause, OutcomeKind, RecordData, SchedulingRules } from "@loopwright/protocol";
import type { Finished } from "../transition/occurrence.ts";

export type Judgement = Pick<RecordData<"task_finished">, "succeeded" | "failure" | "counted">;

const UNCOUNTED_OUTCOMES: ReadonlySet<OutcomeKind> = new Set([
  "cancelled",
  "denied",
  "workspace_gone",
  "bootstrap_failed",
  "policy",
  "disk",
]);
const UNCOUNTED_CAUSES: ReadonlySet<Cause> = new Set([
  "transient",
  "rate_limited",
  "crash",
  "auth",
  "config",
]);

/**
 * Succeeded: it ended well by itself, and the files that it promised are valid. Not succeeded counts towards
 * `workflow_failure_cap` where the workflow had a hand in it: providers, accounts, machines and people don't count.
 */
export function judgeOutcome(finished: Finished, workflow: SchedulingRules | undefined): Judgement {
  const failure = failureOf(finished, workflow);
  if (failure === null) return { succeeded: true, counted: false };
  const excused =
    UNCOUNTED_OUTCOMES.has(finished.outcome) ||
    (finished.cause !== undefined && UNCOUNTED_CAUSES.has(finished.cause));
  return { succeeded: false, failure, counted: !excused };
}

function failureOf(finished: Finished, workflow: SchedulingRules | undefined): string | null {
  const { outcome, cause, evidence, orderly, goal_check } = finished;
  if (outcome !== "ok") {
    const kind = cause === undefined ? outcome : `${outcome} (${cause})`;
    return evidence === undefined ? kind : `${kind}: ${evidence}`;
  }
  if (!orderly) return "it did not end by itself with a result";
  if (workflow?.emits_goal_check !== true || goal_check.state === "valid") return null;
  return goal_check.state === "absent"
    ? "its goal_check.json is missing"
    : `its goal_check.json is invalid: ${goal_check.reason}`;
}
