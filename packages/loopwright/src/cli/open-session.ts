import { foldLine, type State } from "@loopwright/engine";
import type { JournalLine, SessionFile } from "@loopwright/protocol";
import { type LoadedJournal, readJournal } from "../store/journal-reader.ts";
import { foldTrusted } from "../control-plane/session/fold-trusted.ts";
import { inForceAfter, readInForce } from "../control-plane/session/in-force.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import { resolveSession } from "../store/session-lookup.ts";
import type { GoalTarget } from "./target.ts";

/** A session as its files say, read without touching anything. */
export interface OpenedSession {
  readonly id: string;
  readonly layout: SessionLayout;
  /** What it is run with now. */
  readonly session: SessionFile;
  readonly lines: readonly JournalLine[];
  readonly loaded: LoadedJournal;
  readonly state: State;
}

/** @param query a full id, the beginning of one, or `latest`. Throws SESSION_NOT_FOUND, JOURNAL_DAMAGED, FILE_INVALID. */
export function openSession(
  { layout: goal }: Pick<GoalTarget, "layout">,
  query: string,
): OpenedSession {
  const id = resolveSession(goal.sessions, query);
  const layout = goal.session(id);
  const loaded = readJournal(layout.journal);
  const lines = loaded.lines as unknown as JournalLine[];
  return {
    id,
    layout,
    session: readInForce(layout, inForceAfter(lines), false),
    lines,
    loaded,
    state: foldTrusted(layout.journal, lines),
  };
}

/** The state after these lines, which begin with the session's first. */
export function foldAll(lines: readonly JournalLine[]): State {
  let state: State | null = null;
  for (const line of lines) state = foldLine(state, line);
  if (state === null) throw new Error("a journal in force has at least one line");
  return state;
}
