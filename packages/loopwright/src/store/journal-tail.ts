import type { JournalLine } from "./journal-line.ts";
import {
  JOURNAL_START,
  type JournalPosition,
  readJournalFrom,
  rereadOnDamage,
} from "./journal-reader.ts";

export interface TailNews {
  /** Lines that came into force since the last poll. */
  readonly lines: JournalLine[];
  /** Where each of them begins in the file. */
  readonly offsets: number[];
  /**
   * True: what was handed over before is void (a new holder withdrew lines of a replaced one); `lines` are then all
   * lines in force, from the first.
   */
  readonly restarted: boolean;
}

/** Follows a journal that somebody else writes. */
export interface JournalTail {
  /** Reads what is new; cheap when nothing is. Throws like `readJournal`. */
  poll(): TailNews;
  /** Where the next poll begins; can be given to another tail of the same journal. */
  readonly position: JournalPosition;
}

/** Starts at the first line, or at the `end` of a journal that was read. */
export function tailJournal(path: string, from: JournalPosition = JOURNAL_START): JournalTail {
  let position = from;
  return {
    get position() {
      return position;
    },
    poll() {
      const news = readOn(path, position);
      const restarted = news === "unconnected" || news === "shorter";
      const loaded = restarted ? rereadOnDamage(() => readJournalFrom(path, JOURNAL_START)) : news;
      if (typeof loaded === "string") return { lines: [], offsets: [], restarted: true };
      position = loaded.end;
      return { lines: loaded.lines, offsets: loaded.offsets, restarted };
    },
  };
}

/** What was read may have been cut off since, so that nothing stands where reading would go on: start over then, too. */
function readOn(path: string, position: JournalPosition): ReturnType<typeof readJournalFrom> {
  try {
    return rereadOnDamage(() => readJournalFrom(path, position));
  } catch (error) {
    if (position.offset === 0) throw error;
    return "unconnected";
  }
}
