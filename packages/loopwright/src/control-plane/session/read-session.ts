import type { State } from "@loopwright/engine";
import type { JournalLine, SessionFile } from "@loopwright/protocol";
import { type LoadedJournal, readJournal } from "../../store/journal-reader.ts";
import { sessionLayout } from "../../store/session-layout.ts";
import { foldTrusted } from "./fold-trusted.ts";
import { inForceAfter, readInForce } from "./in-force.ts";

/** A session as anybody may read it, while it runs or after. */
export interface ReadSession {
  /** What it is run with now. */
  readonly session: SessionFile;
  /** The lines in force, oldest first. */
  readonly lines: readonly JournalLine[];
  /** Their fold. */
  readonly state: State;
  /** An unfinished write at the journal's end; not in force. */
  readonly tornTail?: LoadedJournal["tornTail"];
  /** Lines of coordinators that had already been replaced; not in force. */
  readonly ignored: readonly { readonly lineNumber: number; readonly line: JournalLine }[];
}

/** Folds the whole journal. Throws SESSION_NOT_FOUND, JOURNAL_DAMAGED, FILE_INVALID. Changes nothing. */
export function readSession(directory: string): ReadSession {
  const layout = sessionLayout(directory);
  const loaded = readJournal(layout.journal);
  const lines = loaded.lines as JournalLine[];
  const session = readInForce(layout, inForceAfter(lines), false);
  const state = foldTrusted(layout.journal, lines);
  const { tornTail } = loaded;
  return {
    session,
    lines,
    state,
    ignored: loaded.ignored as unknown as ReadSession["ignored"],
    ...(tornTail === undefined ? {} : { tornTail }),
  };
}
