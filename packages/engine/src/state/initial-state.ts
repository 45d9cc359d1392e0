import type { RecordData } from "@loopwright/protocol";
import { freshCounters } from "./counters.ts";
import { addSignature, NO_SIGNATURES, signature } from "./signature-set.ts";
import { NOTHING_SPENT } from "./spending.ts";
import type { Stamp, State } from "./state.ts";

/** The state after `session_started`: nothing has run, and the start tree counts as seen. */
export function initialState(data: RecordData<"session_started">, stamp: Stamp): State {
  const { rules } = data;
  return {
    session_id: data.session_id,
    goal_id: data.goal_id,
    seq: stamp.seq,
    epoch: stamp.epoch,
    updated_at: stamp.at,
    started_at: stamp.at,
    workflow_set: data.workflow_set,
    status: "running",
    stop_reason: null,
    stop_detail: null,
    verified: null,
    paused: null,
    stop_requested: null,
    iterations: 0,
    limits: rules.limits,
    spent: NOTHING_SPENT,
    task: null,
    seat: null,
    workflows: freshCounters(rules.workflows),
    claim: null,
    baseline: rules.gate.checks.length === 0 ? "none" : "pending",
    red_checks: [],
    gate: {
      errors_in_row: 0,
      problem: null,
      refused: null,
      refused_controls_in_row: 0,
      verifications: 0,
      last: null,
      receipts: [],
    },
    progress: { without: 0, best_passing: 0 },
    diagnosis: [],
    inputs: [],
    questions: [],
    last: null,
    explanation: null,
    rules,
    seen:
      data.base_tree === null
        ? NO_SIGNATURES
        : addSignature(NO_SIGNATURES, signature(data.base_tree, [])),
    passing: [],
    red_before: data.red_before,
    unbased: [],
    unresolvable: null,
    advisory_due: false,
    numbering: { iteration: 0, number: 0 },
    before_start: null,
    received: new Set(),
    accepted_unknown: { tokens: 0, cost: 0 },
  };
}
