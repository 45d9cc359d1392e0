import type {
  DecisionFacts,
  RecordData,
  ReceiptSummary,
  Rules,
  SchedulingRules,
} from "@loopwright/protocol";
import type { Finished } from "../transition/occurrence.ts";

/** A workflow with the defaults of `workflow.yaml`. */
export function workflow(id: string, fields: Partial<SchedulingRules> = {}): SchedulingRules {
  return {
    id,
    enabled: true,
    priority: 0,
    run_every: 1,
    not_before_iteration: 0,
    run_on_start: false,
    run_when_requested: false,
    emits_goal_check: false,
    plans: false,
    may_complete: false,
    ...fields,
  };
}

/** Rules with generous limits and no checks. */
export function rulesOf(
  workflows: readonly SchedulingRules[],
  changes: {
    limits?: Partial<Rules["limits"]>;
    gate?: Partial<Rules["gate"]>;
    unknown_cost?: Rules["unknown_cost"];
  } = {},
): Rules {
  return {
    workflows: [...workflows],
    limits: {
      max_iterations: 1_000_000,
      max_wall_clock_ms: null,
      max_tokens: null,
      max_cost_usd: null,
      no_progress_after: null,
      workflow_failure_cap: 5,
      ...changes.limits,
    },
    unknown_cost: changes.unknown_cost ?? "count_iterations",
    gate: { checks: [], baseline: "require_red", run: "claims", ...changes.gate },
  };
}

/** The set that `init` recommends: outer, inner, eval_reviewer, eval_runner. */
export function innerOuterEval(): SchedulingRules[] {
  return [
    workflow("outer", { priority: 10, plans: true, may_complete: true }),
    workflow("inner", { priority: 20, must_follow: "outer" }),
    workflow("eval_reviewer", { priority: 100, run_on_start: true, run_when_requested: true }),
    workflow("eval_runner", {
      priority: 90,
      must_follow: "eval_reviewer",
      run_when_requested: true,
      emits_goal_check: true,
    }),
  ];
}

/** A 64-digit digest that is the same for the same number. */
export function digestOf(number: number): string {
  return hex(number, 64);
}

/** A 40-digit tree digest, spread over the first digits as real ones are. */
export function treeOf(number: number): string {
  return hex(Math.imul(number + 1, 0x9e3779b1) >>> 0, 8) + hex(number, 32);
}

export function attemptOf(number: number): string {
  return `0${number.toString().padStart(25, "0")}`;
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}

export function started(
  rules: Rules,
  changes: Partial<RecordData<"session_started">> = {},
): RecordData<"session_started"> {
  return {
    session_id: "20260101T000000Z-0123456789ab",
    goal_id: "goal",
    goal_sha256: digestOf(1),
    session_sha256: digestOf(2),
    workflow_set: "set",
    repository: "/repository",
    base_commit: null,
    base_tree: treeOf(0),
    rules,
    red_before: [],
    program_version: "0.1.0",
    ...changes,
  };
}

export function factsOf(changes: Partial<DecisionFacts> = {}): DecisionFacts {
  return { now: "2026-01-01T00:00:00.000Z", requests: {}, holds: {}, ...changes };
}

/** A well-ended iteration that left a tree of its own. */
export function finishedOf(
  task: { workflow_id: string; iteration: number; attempt_id: string },
  changes: Partial<Finished> = {},
): Finished {
  const { workflow_id, iteration, attempt_id } = task;
  return {
    workflow_id,
    iteration,
    attempt_id,
    result_sha256: digestOf(iteration),
    outcome: "ok",
    orderly: true,
    started: true,
    denials: 0,
    agent: "fake",
    agent_session_id: null,
    exit: { code: 0, signal: null },
    usage: null,
    cost_usd: null,
    reset_at: null,
    duration_ms: 1000,
    live_ms: 1000,
    report: { state: "absent" },
    goal_check: { state: "absent" },
    control: { state: "absent" },
    changes: changesAt(treeOf(iteration)),
    leftovers: [],
    recovered: false,
    ...changes,
  };
}

export function changesAt(tree_digest: string | null): NonNullable<Finished["changes"]> {
  return {
    head_before: null,
    head_after: null,
    branch_before: null,
    branch_after: null,
    tree_digest_before: null,
    tree_digest,
    files_changed: 1,
    insertions: 1,
    deletions: 0,
  };
}

/** A receipt over all pinned checks; those that aren't named pass. */
export function receiptOf(
  rules: Rules,
  tree_digest: string,
  outcomes: Readonly<Record<string, "pass" | "fail" | "error">> = {},
): ReceiptSummary {
  const checks = rules.gate.checks.map(({ id, sha256, required }) => ({
    id,
    sha256,
    required,
    outcome: outcomes[id] ?? ("pass" as const),
  }));
  const found = new Set(checks.filter((check) => check.required).map((check) => check.outcome));
  const outcome = found.has("error") ? "error" : found.has("fail") ? "fail" : "pass";
  return { tree_digest, outcome, checks, reused: null, replaced: 0 };
}
