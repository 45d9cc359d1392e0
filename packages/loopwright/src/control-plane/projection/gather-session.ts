import type { DerivedFrom, ProjectedSession, SourcePrint } from "@loopwright/protocol";
import type { GoalLayout } from "../../store/layout.ts";
import type { SessionLayout } from "../../store/session-layout.ts";
import { listSessions } from "../../store/session-lookup.ts";
import type { Gathered } from "./gather.ts";
import { endsInSum } from "./journal-end.ts";
import { partOf, type Problems, tell } from "./part.ts";
import { readProjectedSession } from "./read-projected-session.ts";
import { isUnchanged, looksAsBefore, printOf } from "./source-print.ts";

/** A session as its own coordinator has it in memory. */
export interface OwnSession {
  readonly session: ProjectedSession;
  /** Of the last line in force. */
  readonly sum: string;
  /** Where the next line will begin. */
  readonly end: number;
}

export interface GatheredSession {
  readonly sessions: number;
  readonly session: ProjectedSession | null;
  readonly prints: Pick<DerivedFrom, "sessions" | "session" | "journal">;
  readonly fresh: boolean;
}

export interface SessionOptions {
  readonly known: Gathered | undefined;
  readonly own: OwnSession | undefined;
  readonly now: number;
  readonly problems: Problems;
}

/** The newest session. Its journal is folded only when nothing else says what it holds. */
export function gatherSession(goal: GoalLayout, options: SessionOptions): GatheredSession {
  const { known, own, now, problems } = options;
  const list = partOf(
    {
      name: "sessions",
      path: goal.sessions,
      known: known && {
        value: { count: known.sessions, newest: known.derived_from.sessions.digest },
        print: known.derived_from.sessions,
      },
      otherwise: { count: 0, newest: null },
      read() {
        const ids = listSessions(goal.sessions);
        const newest = ids.at(-1) ?? null;
        return { value: { count: ids.length, newest }, digest: newest };
      },
    },
    problems,
  );
  const { count, newest } = list.value;
  const prints = { sessions: list.print, session: null, journal: null };
  if (newest === null) return { sessions: count, session: null, prints, fresh: list.fresh };

  const layout = goal.session(newest);
  const before = known?.session?.session_id === newest ? known : undefined;
  const found =
    own?.session.session_id === newest
      ? ownPart(layout, own)
      : (knownPart(layout, before) ?? readPart(layout, now, problems, before));
  return {
    sessions: count,
    session: found.session,
    prints: { ...prints, session: found.file, journal: found.journal },
    fresh: list.fresh || found.fresh,
  };
}

interface Found {
  readonly session: ProjectedSession | null;
  readonly file: SourcePrint | null;
  readonly journal: DerivedFrom["journal"];
  readonly fresh: boolean;
}

/** What else stands in the file isn't its coordinator's: whoever finds the size differ reads the journal itself. */
function ownPart(layout: SessionLayout, { session, sum, end }: OwnSession): Found {
  const print = printOf("journal.jsonl", layout.journal);
  return {
    session,
    file: printOf("session.json", layout.session),
    journal: { ...print, size: end, digest: sum, seq: session.seq },
    fresh: true,
  };
}

function knownPart(layout: SessionLayout, known: Gathered | undefined): Found | undefined {
  if (known === undefined) return undefined;
  const { session: file, journal } = known.derived_from;
  if (file === null || journal === null) return undefined;
  const { settled } = journal;
  if (!looksAsBefore(journal, layout.journal)) return undefined;
  // It was looked at right after a write: then the last line says whether it is the same journal still.
  if (!settled && (journal.digest === null || !endsInSum(layout.journal, journal.digest)))
    return undefined;
  if (!(file.settled ? isUnchanged : looksAsBefore)(file, layout.session)) return undefined;
  return { session: known.session, file, journal, fresh: false };
}

function readPart(
  layout: SessionLayout,
  now: number,
  problems: Problems,
  known: Gathered | undefined,
): Found {
  const file = printOf("session.json", layout.session);
  const print = printOf("journal.jsonl", layout.journal);
  try {
    const { session, sum } = readProjectedSession(layout, now, known?.session?.troubles ?? []);
    return { session, file, journal: { ...print, digest: sum, seq: session.seq }, fresh: true };
  } catch (error) {
    tell(problems, error);
    return { session: null, file, journal: null, fresh: true };
  }
}
