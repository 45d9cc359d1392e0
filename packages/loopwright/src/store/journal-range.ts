import { closeSync, fstatSync } from "node:fs";
import { rawLines } from "./journal-bytes.ts";
import { decodeLine, type JournalLine } from "./journal-line.ts";
import { damage } from "./journal-reader.ts";
import { openWithoutBlocking } from "./regular-file.ts";

/**
 * The lines that begin at these offsets, ascending, of a journal that was read and checked before. Throws
 * JOURNAL_DAMAGED where none begins any more.
 * @param end where the line after the last of them begins; undefined: they reach to the end of the file
 */
export function readLinesAt(
  path: string,
  offsets: readonly number[],
  end: number | undefined,
): JournalLine[] {
  const first = offsets[0];
  if (first === undefined) return [];
  const { fd } = openWithoutBlocking(path, { followLinks: true });
  try {
    const lines: JournalLine[] = [];
    for (const raw of rawLines(fd, first, end ?? fstatSync(fd).size)) {
      if (raw.offset !== offsets[lines.length]) continue;
      const decoded = decodeLine(raw.bytes);
      if (!decoded.ok) throw damage(path, lines.length + 1, decoded.reason);
      lines.push(decoded.line);
    }
    if (lines.length === offsets.length) return lines;
    throw damage(path, lines.length + 1, "is not where it was");
  } finally {
    closeSync(fd);
  }
}
