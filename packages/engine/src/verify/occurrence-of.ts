import type {
  DecisionFacts,
  JournalLine,
  JournalRecord,
  JournalRecordOf,
  RecordType,
} from "@loopwright/protocol";
import type { Finished, Next, Noted, Occurrence, Plan } from "../transition/occurrence.ts";

/**
 * The occurrence that a stored line was decided from, rebuilt from what the line itself holds. `null`: no occurrence
 * begins with such a record.
 */
export function occurrenceOf(line: Pick<JournalLine, "records">): Occurrence | null {
  const [first] = line.records;
  if (first === undefined) return null;
  const next = nextOf(line.records);
  switch (first.type) {
    case "session_started":
      return { kind: "started", started: first.data };
    case "coordinator_started":
      return { kind: "coordinator_started", started: first.data };
    case "worker_seated":
      return { kind: "seated", seated: first.data, next };
    case "task_finished":
      return { kind: "finished", finished: unjudged(first.data), plan: planOf(line.records), next };
    case "verification_finished":
      return { kind: "verified", verified: first.data, next };
    case "task_abandoned":
      return { kind: "abandoned", abandoned: first.data, next };
    case "task_withdrawn":
      return { kind: "withdrawn", withdrawn: first.data, next };
    case "verification_started":
      return first.data.kind === "manual" ? manualOf(line.records) : nextOccurrence(next);
    case "task_assigned":
    case "limit_reached":
    case "session_stopped":
    case "workflow_benched":
      return nextOccurrence(next);
    case "input_received":
      return {
        kind: "inputs",
        inputs: line.records.flatMap((record) =>
          record.type === "input_received" ? [record.data] : [],
        ),
      };
    case "question_answered":
      return { kind: "answered", answered: first.data };
    case "stop_requested":
      return { kind: "stop", stop: first.data };
    case "paused":
      return { kind: "pause", pause: first.data };
    case "session_reopened":
    case "limit_raised":
    case "resumed":
      return resumeOf(line.records, first.data.by);
    case "configuration_reloaded":
      return { kind: "reload", reload: first.data };
    case "pins_changed":
      return { kind: "repin", repin: first.data };
    case "journal_repaired":
      return { kind: "repaired", repaired: first.data };
    case "child_started":
    case "child_finished":
    case "next_action_moved":
    case "drift_detected":
    case "drift_resolved":
    case "input_disposed":
      return {
        kind: "noted",
        noted: first satisfies Noted,
        resolved: line.records.slice(1).find(isA("drift_resolved"))?.data,
      };
    case "baseline_recorded":
    case "goal_check_recorded":
    case "control_accepted":
    case "control_refused":
    case "input_delivered":
    case "question_asked":
      return null;
  }
}

/** What a decision in this line was made with. A stop's attempt was never used, so it left no name. */
function nextOf(records: readonly JournalRecord[]): Next | undefined {
  for (const { type, data } of records) {
    if (type === "task_assigned") return { attempt_id: data.attempt_id, facts: data.facts };
    if (type === "verification_started" && data.facts !== null)
      return { attempt_id: data.attempt_id, facts: data.facts };
    if (type === "session_stopped" && data.facts !== null)
      return { attempt_id: "", facts: data.facts satisfies DecisionFacts };
  }
  return undefined;
}

function nextOccurrence(next: Next | undefined): Occurrence | null {
  return next === undefined ? null : { kind: "next", next };
}

function unjudged({
  succeeded: _s,
  failure: _f,
  counted: _c,
  progress: _p,
  ...finished
}: JournalRecordOf<"task_finished">["data"]): Finished {
  return finished;
}

function planOf(records: readonly JournalRecord[]): Plan {
  return {
    moved: records.find(isA("next_action_moved"))?.data,
    resolved: records.find(isA("drift_resolved"))?.data,
    drift: records.find(isA("drift_detected"))?.data,
  };
}

function manualOf(records: readonly JournalRecord[]): Occurrence | null {
  const ended = records.find(isA("verification_finished"));
  if (ended === undefined) return null;
  const { kind: _k, iteration: _i, number: _n, recovered: _r, ...manual } = ended.data;
  return { kind: "manual", manual };
}

function resumeOf(records: readonly JournalRecord[], by: string): Occurrence {
  const raise = records
    .filter(isA("limit_raised"))
    .map(({ data }) => ({ limit: data.limit, to: data.to }));
  return {
    kind: "resume",
    by,
    raise,
    reopen: records.some((record) => record.type === "session_reopened"),
  };
}

function isA<T extends RecordType>(type: T) {
  return (record: JournalRecord): record is Extract<JournalRecord, { type: T }> =>
    record.type === type;
}
