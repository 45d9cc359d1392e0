import { foldLine, type State } from "@loopwright/engine";
import {
  type JournalLine,
  LoopwrightError,
  sessionFile,
  type SessionFile,
} from "@loopwright/protocol";
import { type LoadedJournal, readJournal } from "../store/journal-reader.ts";
import { readJson } from "../store/read.ts";
import { sessionLayout } from "../store/session-layout.ts";

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
  let state: State | null = null;
  for (const line of lines) state = foldLine(state, line);
  if (state === null) {
    throw new LoopwrightError("JOURNAL_DAMAGED", `${layout.journal} starts no session`, {
      where: layout.journal,
    });
  }
  const { tornTail } = loaded;
  return {
    session,
    lines,
    state,
    ignored: loaded.ignored as unknown as ReadSession["ignored"],
    ...(tornTail === undefined ? {} : { tornTail }),
  };
}
