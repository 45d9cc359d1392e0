import type { JournalLine, ProjectedSession, Trouble } from "@loopwright/protocol";
import { readJournal } from "../../store/journal-reader.ts";
import type { SessionLayout } from "../../store/session-layout.ts";
import { foldTrusted } from "../session/fold-trusted.ts";
import { inForceAfter, readInForce } from "../session/in-force.ts";
import { projectLines } from "./project-session.ts";

/** Folds the whole journal. Throws SESSION_NOT_FOUND, JOURNAL_DAMAGED, FILE_INVALID, FILE_UNSAFE. */
export function readProjectedSession(
  layout: SessionLayout,
  now: number,
  troubles: readonly Trouble[],
): { session: ProjectedSession; sum: string } {
  const loaded = readJournal(layout.journal);
  const lines = loaded.lines as JournalLine[];
  const file = readInForce(layout, inForceAfter(lines), false);
  const state = foldTrusted(layout.journal, lines);
  const session = projectLines({ state, file, troubles }, lines, now);
  return { session, sum: loaded.end.tip.sum };
}
