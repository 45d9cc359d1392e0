import type { JournalLine, JournalRecord, RecordData } from "@loopwright/protocol";
import { createHolds, type Holds } from "../control-plane/session/holds.ts";

/** What the shell itself remembers of the journal, beside the engine's state. Folded from the same lines. */
export interface Memory {
  /** The assignment of the last iteration, with the diagnosis that its prompt carries. */
  assigned(): RecordData<"task_assigned"> | undefined;
  readonly holds: Holds;
  apply(line: Pick<JournalLine, "at" | "records">): void;
}

export function createMemory(): Memory {
  let assigned: RecordData<"task_assigned"> | undefined;
  const holds = createHolds();

  const applyRecord = (record: JournalRecord, at: string): void => {
    if (record.type === "task_assigned") assigned = record.data;
    if (record.type === "task_finished") holds.apply(record.data, at);
  };

  return {
    assigned: () => assigned,
    holds,
    apply({ at, records }) {
      for (const record of records) applyRecord(record, at);
    },
  };
}
