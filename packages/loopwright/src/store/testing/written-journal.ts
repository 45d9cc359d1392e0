import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeLine, type JournalRecord } from "../journal-line.ts";
import { decodeLine, type JournalLine } from "../journal-line.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

export const AT = "2025-01-01T00:00:00.000Z";

export interface WrittenLine {
  readonly line: JournalLine;
  readonly bytes: Buffer;
}

/** One line after another one (or none), as a holder of that epoch would write it. */
export function lineAfter(
  before: WrittenLine | undefined,
  epoch: number,
  records: readonly JournalRecord[] = [{ type: "noted", data: { text: "grün \u{1f331}" } }],
): WrittenLine {
  const seq = (before?.line.seq ?? 0) + 1;
  const bytes = encodeLine({ seq, at: AT, epoch, prev: before?.line.sum ?? "", records });
  const decoded = decodeLine(bytes.subarray(0, -1));
  if (!decoded.ok) throw new Error(decoded.reason);
  return { line: decoded.line, bytes };
}

/** That many lines of one epoch. */
export function linesOf(epoch: number, count: number, after?: WrittenLine): WrittenLine[] {
  const lines: WrittenLine[] = [];
  for (let k = 0; k < count; k += 1) lines.push(lineAfter(lines.at(-1) ?? after, epoch));
  return lines;
}

export function bytesOf(lines: readonly WrittenLine[]): Buffer {
  return Buffer.concat(lines.map(({ bytes }) => bytes));
}

/** A journal file with these lines, in a directory of its own. */
export function writtenJournal(lines: readonly WrittenLine[]): string {
  const path = join(temporaryDirectory(), "journal.jsonl");
  writeFileSync(path, bytesOf(lines));
  return path;
}
