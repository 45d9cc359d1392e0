import type { JournalRecord, RecordData, RecordType } from "@loopwright/protocol";
import { fold } from "../state/fold.ts";
import type { State } from "../state/state.ts";

/**
 * One journal line while it is decided: each record is folded at once, so that what follows in the line is decided
 * from it. The stamps of this fold are those of the line before; no decision reads them.
 */
export interface Draft {
  state: State;
  readonly records: JournalRecord[];
}

export function draftOf(state: State): Draft {
  return { state, records: [] };
}

export function add<T extends RecordType>(draft: Draft, type: T, data: RecordData<T>): void {
  const record = { type, data } as unknown as JournalRecord;
  draft.records.push(record);
  draft.state = fold(draft.state, record, {
    seq: draft.state.seq,
    at: draft.state.updated_at,
    epoch: draft.state.epoch,
  });
}
