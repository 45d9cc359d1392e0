import type { State } from "@loopwright/engine";
import { type JournalLine, sessionFile, type SessionFile } from "@loopwright/protocol";
import { type LoadedJournal, readJournal } from "../store/journal-reader.ts";
import { readJson } from "../store/read.ts";
import { sessionLayout } from "../store/session-layout.ts";
import { foldTrusted } from "./fold-trusted.ts";

/** A session as anybody may read it, while it runs or after. */
export interface ReadSession {
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
  const session = readJson(layout.session, sessionFile);
  const loaded = readJournal(layout.journal);
  const lines = loaded.lines as JournalLine[];
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
