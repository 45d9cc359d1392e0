import type { SessionFile, StateFile } from "@loopwright/protocol";
import { stateFileOf } from "@loopwright/engine";
import { inForceAfter, readInForce } from "../../control-plane/session/in-force.ts";
import type { SessionLayout } from "../../store/session-layout.ts";
import { type JournalIndex, openJournalIndex } from "./journal-index.ts";

/** One session's files as the views read them. */
export interface SessionRecord {
  readonly id: string;
  readonly goalId: string;
  readonly layout: SessionLayout;
  readonly journal: JournalIndex;
  /** What it is run with now. */
  file(): SessionFile;
  state(): StateFile;
}

/** Throws SESSION_NOT_FOUND, JOURNAL_DAMAGED, FILE_INVALID. */
export function openRecord(goalId: string, id: string, layout: SessionLayout): SessionRecord {
  const journal = openJournalIndex(layout.journal);
  let file: { readonly length: number; readonly content: SessionFile } | undefined;
  return {
    id,
    goalId,
    layout,
    journal,
    file() {
      if (file?.length !== journal.length()) {
        const inForce = inForceAfter(journal.lines(0, journal.length()));
        file = { length: journal.length(), content: readInForce(layout, inForce, false) };
      }
      return file.content;
    },
    state: () => stateFileOf(journal.state()),
  };
}
