import type { Explanation, JournalLine, JournalRecord, Rules } from "@loopwright/protocol";
import { foldLine } from "../state/fold.ts";
import type { State } from "../state/state.ts";
import { react } from "../transition/react.ts";
import { occurrenceOf } from "../verify/occurrence-of.ts";

export interface Divergence {
  readonly seq: number;
  /** What was decided then, and what would be: for example `inner as iteration 3`, `stop: no_progress`, `nothing`. */
  readonly was: string;
  readonly would: string;
  readonly explanation: Explanation | null;
}

type Line = Pick<JournalLine, "seq" | "at" | "epoch" | "records">;

/**
 * Replays a session under edited rules up to the first decision that differs; null if none does. `edit` gets the rules
 * that the session started with, and those that it took later.
 */
export function whatIf(lines: Iterable<Line>, edit: (rules: Rules) => Rules): Divergence | null {
  let state: State | null = null;
  for (const line of lines) {
    const occurrence = occurrenceOf(line);
    if (state !== null && occurrence !== null && occurrence.kind !== "reload") {
      const records = react(state, occurrence);
      const [was, would] = [decision(line.records), decision(records)];
      if (was !== would) return { seq: line.seq, was, would, explanation: explanationOf(records) };
    }
    state = foldLine(state, {
      ...line,
      records: line.records.map((record) => edited(record, edit)),
    });
  }
  return null;
}

function edited(record: JournalRecord, edit: (rules: Rules) => Rules): JournalRecord {
  if (record.type === "session_started")
    return { ...record, data: { ...record.data, rules: edit(record.data.rules) } };
  return record.type === "configuration_reloaded"
    ? { ...record, data: { ...record.data, rules: edit(record.data.rules) } }
    : record;
}

function decision(records: readonly JournalRecord[]): string {
  for (const { type, data } of records) {
    if (type === "session_stopped") return `stop: ${data.stop_reason}`;
    if (type === "task_assigned") return `${data.workflow_id} as iteration ${data.iteration}`;
    if (type === "verification_started")
      return `verification (${data.kind}) after iteration ${data.iteration}`;
  }
  return "nothing";
}

function explanationOf(records: readonly JournalRecord[]): Explanation | null {
  for (const { type, data } of records)
    if (type === "task_assigned" || type === "session_stopped") return data.explanation;
  return null;
}
