import type { JournalLine } from "@loopwright/protocol";
import type { Disk } from "../../store/disk.ts";
import { appendRow } from "../../store/line-file.ts";
import { iterationRows, type IndexedSession } from "./iteration-row.ts";
import { readRunIndex } from "./read-run-index.ts";

/**
 * Appends what the journal has and the index lacks: a crash came between the two, or the index was lost. What the active
 * state was then isn't known any more, except where the line itself moved it. Returns how many rows were appended.
 */
export function completeRunIndex(
  disk: Disk,
  path: string,
  session: IndexedSession,
  lines: readonly Pick<JournalLine, "at" | "records">[],
): number {
  const all = lines.flatMap((line) => iterationRows(line, session, undefined));
  if (all.length === 0) return 0;
  const known = new Set(readRunIndex(path).rows.map(({ run_id }) => run_id));
  const missing = all.filter(({ run_id }) => !known.has(run_id));
  for (const row of missing) appendRow(disk, path, row, { durable: false });
  return missing.length;
}
