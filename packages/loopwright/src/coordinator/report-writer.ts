import type { State } from "@loopwright/engine";
import type { JournalLine } from "@loopwright/protocol";
import { readJournal } from "../store/journal-reader.ts";
import type { Disk } from "../store/disk.ts";
import { writeDurable } from "../store/durable-write.ts";
import type { LoadedSession } from "./load-session.ts";
import { reportText } from "./report-text.ts";

/** `REPORT.md`, at each stop. Reads the journal again: nothing of the past is kept in memory for this. */
export function createReportWriter(
  disk: Disk,
  { layout, file }: Pick<LoadedSession, "layout" | "file">,
): { write(state: State): void } {
  return {
    write(state) {
      try {
        const lines = readJournal(layout.journal).lines as JournalLine[];
        writeDurable(disk, layout.report, reportText(state, file, lines));
      } catch {
        // The journal has everything; `show` and `explain` tell the same.
      }
    },
  };
}
