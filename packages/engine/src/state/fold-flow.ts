import { type JournalRecordOf, type RecordData, STATUS_OF_REASON } from "@loopwright/protocol";
import { countersOf, forgiveFailures, mapCounters } from "./counters.ts";
import { progressDiagnosis } from "./diagnoses.ts";
import type { Stamp, State } from "./state.ts";

type FlowRecord =
  | JournalRecordOf<"coordinator_started">
  | JournalRecordOf<"worker_seated">
  | JournalRecordOf<"limit_raised">
  | JournalRecordOf<"paused">
  | JournalRecordOf<"resumed">
  | JournalRecordOf<"stop_requested">
  | JournalRecordOf<"configuration_reloaded">
  | JournalRecordOf<"session_stopped">
  | JournalRecordOf<"session_reopened">;

/** Who runs it, whether it runs, and under which limits. */
export function foldFlow(state: State, { type, data }: FlowRecord, stamp: Stamp): State {
  switch (type) {
    case "coordinator_started":
      return { ...state, epoch: data.epoch };
    case "worker_seated":
      return { ...state, seat: data.identity };
    case "limit_raised":
      return { ...state, limits: { ...state.limits, [data.limit]: data.to } };
    case "paused":
      return { ...state, paused: { reason: data.reason, detail: data.detail, at: stamp.at } };
    case "resumed":
      return resume(state);
    case "stop_requested":
      return { ...state, stop_requested: { mode: data.mode, at: stamp.at } };
    case "configuration_reloaded":
      return reload(state, data);
    case "session_stopped":
      return {
        ...state,
        status: STATUS_OF_REASON[data.stop_reason],
        stop_reason: data.stop_reason,
        stop_detail: data.detail,
        verified: data.verified,
        claim: data.stop_reason === "goal_met" ? null : state.claim,
        explanation: data.explanation ?? state.explanation,
      };
    case "session_reopened":
      return reopen(state);
  }
}

/**
 * Ends a pause; where nothing is paused, takes back a stop that still waits. Crashes that were seen and resumed from
 * don't pause again at once.
 */
function resume(state: State): State {
  const stop_requested = state.paused === null ? null : state.stop_requested;
  const workflows = mapCounters(state.workflows, (own) => ({ ...own, crashes_in_row: 0 }));
  return {
    ...state,
    paused: null,
    stop_requested,
    workflows,
    gate: { ...state.gate, receipts: [] },
  };
}

/** Totals and history stay, a latched claim too; what stop rules 4, 5 and 7 count starts anew. */
function reopen(state: State): State {
  const unbaselined =
    state.iterations === 0 && (state.baseline === "green" || state.baseline === "error");
  return {
    ...state,
    status: "running",
    stop_reason: null,
    stop_detail: null,
    verified: null,
    paused: null,
    stop_requested: null,
    unresolvable: null,
    workflows: forgiveFailures(state.workflows),
    baseline: unbaselined ? "pending" : state.baseline,
    gate: {
      ...state.gate,
      errors_in_row: 0,
      problem: null,
      refused: null,
      refused_controls_in_row: 0,
      receipts: [],
    },
    progress: { ...state.progress, without: 0 },
    diagnosis: progressDiagnosis(state.diagnosis, 0, state.limits.no_progress_after),
    accepted_unknown: { tokens: state.spent.unknown_tokens, cost: state.spent.unknown_cost },
  };
}

/** Counters stay. A workflow that now waits for another one's successes counts from here. */
function reload(state: State, { rules }: RecordData<"configuration_reloaded">): State {
  const before = new Map(state.rules.workflows.map((workflow) => [workflow.id, workflow]));
  const known = Object.fromEntries(
    rules.workflows.map((workflow) => [workflow.id, countersOf(state.workflows, workflow.id)]),
  );
  const workflows = mapCounters({ ...state.workflows, ...known }, (own, id) => {
    const now = rules.workflows.find((workflow) => workflow.id === id);
    if (now === undefined) return own;
    const was = before.get(id);
    const other =
      now.must_follow === undefined
        ? null
        : countersOf(state.workflows, now.must_follow).last_success;
    return {
      ...own,
      follow_due: other !== null && (own.last_success === null || other > own.last_success),
      followed_successes:
        was?.run_after_successes?.workflow === now.run_after_successes?.workflow
          ? own.followed_successes
          : 0,
    };
  });
  return {
    ...state,
    rules,
    limits: rules.limits,
    workflows,
    ...repinned(state, rules.gate.checks),
    // Other files may be protected now.
    gate: { ...state.gate, receipts: [] },
  };
}

/** A check with a new hash was never seen failing: what its next verification finds is its baseline. */
export function repinned(
  state: State,
  checks: State["rules"]["gate"]["checks"],
): Pick<State, "red_checks" | "unbased" | "baseline"> {
  const before = new Map(state.rules.gate.checks.map((check) => [check.id, check.sha256]));
  const kept = new Set(
    checks.filter((check) => before.get(check.id) === check.sha256).map((check) => check.id),
  );
  const unbased = checks
    .map((check) => check.id)
    .filter((id) => !kept.has(id) || state.unbased.includes(id));
  const first = state.baseline === "none" && checks.length > 0 && state.iterations === 0;
  return {
    red_checks: state.red_checks.filter((id) => kept.has(id)),
    unbased,
    baseline: first ? "pending" : state.baseline,
  };
}
