import type { State } from "@loopwright/engine";
import {
  type JournalLine,
  LoopwrightError,
  type RecordData,
  sessionFile,
  type SessionFile,
} from "@loopwright/protocol";
import { foldTrusted } from "../read-api/fold-trusted.ts";
import type { Disk } from "../store/disk.ts";
import { type Journal, openJournal } from "../store/journal.ts";
import { parseJson, readText } from "../store/read.ts";
import { goalHash } from "../store/session-id.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import { sessionHash } from "./create-session.ts";
import type { Locks } from "./locks.ts";
import { createMemory, type Memory } from "./memory.ts";

export interface LoadedSession {
  readonly layout: SessionLayout;
  readonly file: SessionFile;
  readonly goalText: string;
  readonly journal: Journal;
  readonly state: State;
  readonly memory: Memory;
  /** What was cut off the journal's end. */
  readonly repaired: RecordData<"journal_repaired"> | undefined;
}

/** Folds a session for its lock holder. Throws JOURNAL_DAMAGED, FILE_INVALID, SESSION_NOT_FOUND. */
export function loadSession(
  disk: Disk,
  layout: SessionLayout,
  locks: Pick<Locks, "epoch" | "lost">,
): LoadedSession {
  const { file, text } = readSessionFile(layout);
  const goalText = readText(layout.goal);
  if (goalText === undefined || goalHash(goalText) !== file.goal_sha256) {
    throw changed(layout.goal, "the goal text that the session was started with");
  }
  const { journal, loaded } = openJournal(disk, layout.journal, {
    epoch: locks.epoch,
    fenced: () => locks.lost(),
  });
  try {
    const memory = createMemory();
    const lines = loaded.lines as JournalLine[];
    const state = foldTrusted(layout.journal, lines);
    for (const line of lines) memory.apply(line);
    refuseForeignFile(layout, lines, sessionHash(text));
    const { tornTail } = loaded;
    const repaired =
      tornTail === undefined ? undefined : { offset: tornTail.offset, bytes: tornTail.bytes };
    return { layout, file, goalText, journal, state, memory, repaired };
  } catch (error) {
    journal.close();
    throw error;
  }
}

export function readSessionFile(layout: SessionLayout): { file: SessionFile; text: string } {
  const text = readText(layout.session);
  if (text === undefined) {
    throw new LoopwrightError("SESSION_NOT_FOUND", `There is no session at ${layout.directory}`, {
      where: layout.directory,
    });
  }
  return { file: parseJson(layout.session, text, sessionFile), text };
}

/** The journal says which `session.json` is in force: the first, or the one of the last reload. */
function refuseForeignFile(
  layout: SessionLayout,
  lines: readonly JournalLine[],
  found: string,
): void {
  let expected: string | undefined;
  for (const { records } of lines) {
    for (const record of records) {
      if (record.type === "session_started" || record.type === "configuration_reloaded")
        expected = record.data.session_sha256;
    }
  }
  if (expected !== found)
    throw changed(layout.session, "what the journal says that the session was started with");
}

function changed(path: string, what: string): LoopwrightError {
  return new LoopwrightError("FILE_INVALID", `${path} is not ${what}`, {
    where: path,
    hint: "Bring the file back as it was, or start a new session of this goal.",
  });
}
