import type { State } from "@loopwright/engine";
import {
  type JournalLine,
  LoopwrightError,
  type RecordData,
  sessionFile,
  type SessionFile,
} from "@loopwright/protocol";
import { foldTrusted } from "../control-plane/session/fold-trusted.ts";
import { inForceAfter, readInForce } from "../control-plane/session/in-force.ts";
import type { Disk } from "../store/disk.ts";
import { type Journal, openJournal } from "../store/journal.ts";
import { parseJson, readText } from "../store/read.ts";
import { goalHash } from "../store/session-id.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import type { Locks } from "./locks.ts";
import { createMemory, type Memory } from "./memory.ts";

export interface LoadedSession {
  readonly layout: SessionLayout;
  /** What it is run with now. */
  readonly file: SessionFile;
  /** What the last iteration was assigned with: it stays that iteration's, whatever was reloaded meanwhile. */
  readonly assignedFile: SessionFile;
  readonly goalText: string;
  readonly journal: Journal;
  readonly state: State;
  /** The lines in force when it was loaded: once, because they are many. */
  takeLines(): readonly JournalLine[];
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
  // Before anything is opened: a session that isn't there has no journal to be made.
  const { file: started } = readSessionFile(layout);
  const goalText = readText(layout.goal);
  if (goalText === undefined || goalHash(goalText) !== started.goal_sha256) {
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
    const now = inForceAfter(lines);
    const file = readInForce(layout, now, true);
    const then = inForceAfter(upToLastAssignment(lines));
    const assignedFile = then.reloaded === now.reloaded ? file : readInForce(layout, then, true);
    const { tornTail } = loaded;
    const repaired =
      tornTail === undefined ? undefined : { offset: tornTail.offset, bytes: tornTail.bytes };
    let kept: readonly JournalLine[] = lines;
    const takeLines = (): readonly JournalLine[] => {
      const taken = kept;
      kept = [];
      return taken;
    };
    return { layout, file, assignedFile, goalText, journal, state, takeLines, memory, repaired };
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

function upToLastAssignment(lines: readonly JournalLine[]): readonly JournalLine[] {
  const last = lines.findLastIndex(({ records }) =>
    records.some(({ type }) => type === "task_assigned"),
  );
  return lines.slice(0, last + 1);
}

function changed(path: string, what: string): LoopwrightError {
  return new LoopwrightError("FILE_INVALID", `${path} is not ${what}`, {
    where: path,
    hint: "Bring the file back as it was, or start a new session with: loopwright run --new",
  });
}
