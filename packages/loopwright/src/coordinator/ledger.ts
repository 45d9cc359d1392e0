import { foldLine, type Occurrence, react, type State } from "@loopwright/engine";
import { type JournalLine, type JournalRecord, LoopwrightError } from "@loopwright/protocol";
import { timestamp } from "../seams/clock.ts";
import type { Journal } from "../store/journal.ts";
import type { Locks } from "./locks.ts";
import type { Seams } from "./seams.ts";

/** The one place where a session changes: decide, append, sync, fold, in this order and without a pause in between. */
export interface Ledger {
  readonly epoch: number;
  state(): State;
  /**
   * Commits what follows from the occurrence, as one line; undefined when nothing follows. Throws what
   * `Journal.append` throws; memory then stands where it stood.
   */
  commit(occurrence: Occurrence): JournalLine | undefined;
  /** Undoes what somebody else wrote into the journal, and records it. Throws what `Journal.append` throws. */
  settle(): void;
  /** Whether another coordinator took over: then nobody may be answered any more. */
  lost(): boolean;
}

export interface LedgerOptions {
  readonly clock: Seams["clock"];
  readonly journal: Journal;
  readonly locks: Locks;
  readonly state: State;
  /** Adds what the outside says about what happened. Doesn't throw. */
  readonly prepare?: (occurrence: Occurrence, state: State) => Occurrence;
  /** Before they are written. May throw; then they aren't. */
  readonly onRecords?: (records: readonly JournalRecord[]) => void;
  readonly onLine: (line: JournalLine, state: State) => void;
}

export function createLedger({
  clock,
  journal,
  locks,
  state: loaded,
  prepare = (occurrence) => occurrence,
  onRecords,
  onLine,
}: LedgerOptions): Ledger {
  let state = loaded;
  const ledger: Ledger = {
    epoch: locks.epoch,
    state: () => state,
    lost: () => locks.lost(),
    settle() {
      journal.settle();
      recordEvicted();
    },
    commit(occurrence) {
      const records = react(state, prepare(occurrence, state));
      if (records.length === 0) return undefined;
      onRecords?.(records);
      const line = journal.append(timestamp(clock), records) as JournalLine;
      // A crash here: the line is in force, nobody was told; callers repeat and find it done.
      state = foldLine(state, line);
      onLine(line, state);
      recordEvicted();
      return line;
    },
  };
  const recordEvicted = (): void => {
    for (const repaired of journal.takeEvicted()) ledger.commit({ kind: "repaired", repaired });
  };
  return ledger;
}

/** Says that somebody else decides from now on. */
export function lockLost(): LoopwrightError {
  return new LoopwrightError("LOCK_LOST", "Another coordinator took over this session", {
    hint: "Read coordinator.json again.",
  });
}
