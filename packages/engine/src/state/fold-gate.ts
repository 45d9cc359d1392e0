import type { JournalRecordOf, RecordData } from "@loopwright/protocol";
import { checksThat, requiredChecksThat, verdict } from "../stop/verdict.ts";
import { progressDiagnosis, withDiagnosis } from "./diagnoses.ts";
import { repinned } from "./fold-flow.ts";
import { foldClaimVerdict } from "./fold-claim.ts";
import { rememberReceipt } from "./receipts.ts";
import { addSignature, signature } from "./signature-set.ts";
import { spendVerification } from "./spending.ts";
import { evaluationDirectory } from "./verification-name.ts";
import type { Stamp, State } from "./state.ts";

type GateRecord =
  | JournalRecordOf<"goal_check_recorded">
  | JournalRecordOf<"control_accepted">
  | JournalRecordOf<"control_refused">
  | JournalRecordOf<"baseline_recorded">
  | JournalRecordOf<"verification_started">
  | JournalRecordOf<"verification_finished">
  | JournalRecordOf<"pins_changed">;

/** What agents claimed and what the checks found. */
export function foldGate(state: State, { type, data }: GateRecord, stamp: Stamp): State {
  switch (type) {
    case "goal_check_recorded": {
      const diagnosis = data.valid
        ? null
        : {
            text: `The goal_check.json of iteration ${data.iteration} (${data.workflow_id}) was not taken: ${data.reason}`,
          };
      return {
        ...state,
        diagnosis: withDiagnosis(state.diagnosis, "goal_check_invalid", diagnosis),
      };
    }
    case "control_accepted":
      return acceptControl(state, data);
    case "control_refused":
      return refuseControl(state, data);
    case "baseline_recorded":
      return { ...state, baseline: data.outcome, red_checks: data.red, unbased: [] };
    case "verification_started":
      return startVerification(state, data, stamp);
    case "verification_finished":
      return finishVerification(state, data, stamp);
    case "pins_changed":
      return {
        ...state,
        rules: { ...state.rules, gate: { ...state.rules.gate, checks: data.checks } },
        ...repinned(state, data.checks),
        // Their hashes don't tell under which protected files they were made.
        gate: { ...state.gate, receipts: [] },
      };
  }
}

function acceptControl(state: State, data: RecordData<"control_accepted">): State {
  const { workflow_id, iteration, reason } = data;
  const settled = {
    ...state,
    gate: { ...state.gate, refused_controls_in_row: 0 },
    diagnosis: withDiagnosis(state.diagnosis, "control_refused", null),
  };
  const asked = { workflow_id, iteration, reason };
  return data.stop_reason === "goal_met"
    ? { ...settled, claim: asked }
    : { ...settled, unresolvable: asked };
}

function refuseControl(state: State, data: RecordData<"control_refused">): State {
  // One that names another attempt says nothing about this run.
  if (data.verdict === "stale") return state;
  return {
    ...state,
    gate: { ...state.gate, refused_controls_in_row: state.gate.refused_controls_in_row + 1 },
    diagnosis: withDiagnosis(state.diagnosis, "control_refused", {
      text: `The control.json of iteration ${data.iteration} (${data.workflow_id}) was refused: ${data.why}`,
    }),
  };
}

function startVerification(
  state: State,
  data: RecordData<"verification_started">,
  stamp: Stamp,
): State {
  const { kind, attempt_id, iteration, number, directory } = data;
  const numbered = { ...state, numbering: { iteration, number } };
  // A manual one is over when it is journaled, and it may come while a task is live.
  if (kind === "manual") return numbered;
  return {
    ...numbered,
    task: {
      kind: "verification",
      verification: kind,
      iteration,
      number,
      attempt_id,
      directory,
      epoch: stamp.epoch,
      started_at: stamp.at,
    },
  };
}

function finishVerification(
  state: State,
  data: RecordData<"verification_finished">,
  stamp: Stamp,
): State {
  const directory = evaluationDirectory(data.iteration, data.number);
  const receipt = data.receipt;
  const ended: State = {
    ...state,
    task: data.kind === "manual" ? state.task : null,
    advisory_due: data.kind === "manual" ? state.advisory_due : false,
    spent: spendVerification(state.spent, data.live_ms, data.cost_usd),
    gate: {
      ...state.gate,
      problem: receipt === null ? (data.problem ?? null) : null,
      verifications: state.gate.verifications + 1,
      last:
        receipt === null ? state.gate.last : { kind: data.kind, directory, at: stamp.at, receipt },
      receipts: rememberReceipt(state.gate.receipts, directory, receipt),
    },
  };
  const measured =
    receipt === null || verdict(state.rules.gate, receipt) === "error"
      ? ended
      : measure(ended, receipt, data.kind === "baseline");
  return data.kind === "claim" ? foldClaimVerdict(measured, receipt, directory) : measured;
}

/** What passes now, where this stands among what was seen, and whether more passes than ever before. */
function measure(
  state: State,
  receipt: NonNullable<RecordData<"verification_finished">["receipt"]>,
  baseline: boolean,
): State {
  const { gate } = state.rules;
  const passing = checksThat("pass", gate, receipt);
  const count = requiredChecksThat("pass", gate, receipt).length;
  const rose = !baseline && count > state.progress.best_passing;
  const without = rose ? 0 : state.progress.without;
  const failing = requiredChecksThat("fail", gate, receipt);
  const passed =
    failing.length === 0 ? withDiagnosis(state.diagnosis, "claim_refused", null) : state.diagnosis;
  return {
    ...state,
    passing,
    seen: addSignature(state.seen, signature(receipt.tree_digest, passing)),
    red_checks: [...state.red_checks, ...failing.filter((id) => state.unbased.includes(id))],
    unbased: [],
    progress: { without, best_passing: Math.max(state.progress.best_passing, count) },
    diagnosis: progressDiagnosis(passed, without, state.limits.no_progress_after),
  };
}
