import { rawLines } from "./journal-bytes.ts";
import { decodeLine, type JournalLine } from "./journal-line.ts";
import { damage } from "./journal-reader.ts";
import { readUpTo } from "./regular-file.ts";

/** What lies behind the end that a writer knows of. */
export interface ForeignLines {
  /** Whole lines of somebody else. */
  readonly lines: JournalLine[];
  /** Bytes behind the last newline. */
  readonly rest: number;
  /** Whether the writer's own line is among them. */
  readonly sawOwn: boolean;
}

/** Reads `from` to `size`; `lineNumber` counts the lines before. Throws JOURNAL_DAMAGED for anything unreadable. */
export function foreignLines(
  path: string,
  fd: number,
  from: number,
  size: number,
  lineNumber: number,
  own?: Buffer,
): ForeignLines {
  const lines: JournalLine[] = [];
  let rest = 0;
  let sawOwn = false;
  let number = lineNumber;
  for (const { bytes, terminated } of rawLines(fd, from, size)) {
    if (!terminated) {
      rest = bytes.length;
      break;
    }
    number += 1;
    if (own !== undefined && own.length === bytes.length + 1 && own.indexOf(bytes) === 0) {
      sawOwn = true;
      continue;
    }
    const decoded = decodeLine(bytes);
    if (!decoded.ok) throw damage(path, number, decoded.reason);
    lines.push(decoded.line);
  }
  return { lines, rest, sawOwn };
}

/**
 * Where a failed write of `own` begins among the bytes from `from` to `size`; `size` when nothing of it is there.
 * Undefined when it can't be told apart from what somebody else wrote.
 */
export function ownBeginning(
  fd: number,
  from: number,
  size: number,
  own: Buffer,
): number | undefined {
  const extra = readUpTo(fd, size - from, from);
  const isOwn = (bytes: Buffer): boolean => own.subarray(0, bytes.length).equals(bytes);
  if (isOwn(extra)) return from;
  const whole = extra.length - own.length;
  if (whole > 0 && isOwn(extra.subarray(whole))) return from + whole;
  const unfinished = extra.lastIndexOf(0x0a) + 1;
  return isOwn(extra.subarray(unfinished)) ? from + unfinished : undefined;
}
