import { type JournalLine, type JournalRecord, LoopwrightError } from "@loopwright/protocol";
import { driftDiagnosis, withDiagnosis } from "./diagnoses.ts";
import { foldFlow } from "./fold-flow.ts";
import { foldGate } from "./fold-gate.ts";
import { foldGuidance } from "./fold-guidance.ts";
import { foldTask } from "./fold-task.ts";
import { initialState } from "./initial-state.ts";
import type { Stamp, State } from "./state.ts";

/** The state after one more record. Its cost does not depend on how many came before. `null` only before `session_started`. */
export function fold(state: State | null, record: JournalRecord, stamp: Stamp): State {
  if (state !== null) return change(stamped(state, stamp), record, stamp);
  if (record.type === "session_started") return initialState(record.data, stamp);
  throw new LoopwrightError(
    "JOURNAL_DAMAGED",
    `The journal begins with ${record.type} instead of session_started.`,
  );
}

export function foldLine(
  state: State | null,
  line: Pick<JournalLine, "seq" | "at" | "epoch" | "records">,
): State {
  let after = state === null ? null : stamped(state, line);
  for (const record of line.records) {
    after = after === null ? fold(null, record, line) : change(after, record, line);
  }
  if (after !== null) return after;
  throw new LoopwrightError("JOURNAL_DAMAGED", `Line ${line.seq} of the journal holds no records.`);
}

function stamped(state: State, { seq, epoch, at }: Stamp): State {
  return { ...state, seq, epoch, updated_at: at };
}

function change(state: State, record: JournalRecord, stamp: Stamp): State {
  switch (record.type) {
    case "session_started":
      throw new LoopwrightError(
        "JOURNAL_DAMAGED",
        `The journal starts its session a second time at line ${stamp.seq}.`,
      );
    case "task_assigned":
    case "task_finished":
    case "task_abandoned":
    case "task_withdrawn":
    case "workflow_benched":
      return foldTask(state, record, stamp);
    case "goal_check_recorded":
    case "control_accepted":
    case "control_refused":
    case "baseline_recorded":
    case "verification_started":
    case "verification_finished":
    case "pins_changed":
      return foldGate(state, record, stamp);
    case "input_received":
    case "input_delivered":
    case "input_disposed":
    case "question_asked":
    case "question_answered":
      return foldGuidance(state, record, stamp);
    case "coordinator_started":
    case "worker_seated":
    case "limit_raised":
    case "paused":
    case "resumed":
    case "stop_requested":
    case "configuration_reloaded":
    case "session_stopped":
    case "session_reopened":
      return foldFlow(state, record, stamp);
    case "drift_detected":
      return { ...state, diagnosis: driftDiagnosis(state.diagnosis, record.data) };
    case "drift_resolved":
      return { ...state, diagnosis: withDiagnosis(state.diagnosis, "drift", null) };
    // Told for readers; no decision depends on them.
    case "limit_reached":
    case "child_started":
    case "child_finished":
    case "next_action_moved":
    case "journal_repaired":
      return state;
  }
}
