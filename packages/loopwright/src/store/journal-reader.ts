import { closeSync } from "node:fs";
import { LoopwrightError } from "@loopwright/protocol";
import { errorCode } from "./disk-error.ts";
import { rawLines } from "./journal-bytes.ts";
import { type ChainVerdict, judgeLine, NO_LINES, type Tip } from "./journal-chain.ts";
import { decodeLine, type JournalLine } from "./journal-line.ts";
import { openWithoutBlocking } from "./regular-file.ts";

/** A place between two lines, from which reading can go on. */
export interface JournalPosition {
  readonly offset: number;
  /** Lines of the file before it, those that are not in force included. */
  readonly lineNumber: number;
  readonly tip: Tip;
}

export interface LoadedJournal {
  /** The lines in force, oldest first. */
  readonly lines: JournalLine[];
  /** Where each of them begins in the file. */
  readonly offsets: number[];
  /** Lines of replaced holders, not in force, in file order; `lineNumber` from 1. */
  readonly ignored: { readonly lineNumber: number; readonly line: JournalLine }[];
  /** An unfinished write at the end of the file; not in force. */
  readonly tornTail?: { readonly offset: number; readonly bytes: number };
  /** The end of the last whole line. */
  readonly end: JournalPosition;
}

const WAY_ON =
  "Nothing was changed; bring the file back from a copy, or start a new session with: loopwright run --new";

export const JOURNAL_START: JournalPosition = { offset: 0, lineNumber: 0, tip: NO_LINES };

/**
 * Reads a whole journal, for anybody. Throws JOURNAL_DAMAGED, naming file and line, when it is missing or has no whole
 * line, or when any whole line, the last one included, isn't exactly what was written: nothing is skipped or guessed.
 */
export function readJournal(path: string): LoadedJournal {
  const loaded = rereadOnDamage(() => readJournalFrom(path, JOURNAL_START));
  if (loaded === "unconnected" || loaded === "shorter" || loaded.lines.length === 0) {
    throw damage(path, 1, "is not whole, and a journal always has one whole line");
  }
  return loaded;
}

/**
 * Reads on from a position. `unconnected`: a line withdraws lines from before the position; `shorter`: the file ends
 * before it. Either way the reader has to start over.
 */
export function readJournalFrom(
  path: string,
  from: JournalPosition,
): LoadedJournal | "unconnected" | "shorter" {
  const { fd, stats } = open(path);
  try {
    if (stats.size < from.offset) return "shorter";
    return fold(path, fd, from, stats.size);
  } finally {
    closeSync(fd);
  }
}

/** A writer may cut an unfinished write and append anew just while we read: what is damaged twice is damaged. */
export function rereadOnDamage<T>(read: () => T): T {
  try {
    return read();
  } catch {
    return read();
  }
}

export function damage(path: string, lineNumber: number, reason: string): LoopwrightError {
  const where = `${path}:${lineNumber}`;
  return new LoopwrightError("JOURNAL_DAMAGED", `${where}: the line ${reason}`, {
    where,
    hint: WAY_ON,
  });
}

function fold(
  path: string,
  fd: number,
  from: JournalPosition,
  size: number,
): LoadedJournal | "unconnected" {
  const lines: JournalLine[] = [];
  const ignored: LoadedJournal["ignored"] = [];
  const numbers: number[] = [];
  const offsets: number[] = [];
  let { offset, lineNumber, tip } = from;
  let tornTail: LoadedJournal["tornTail"];
  for (const raw of rawLines(fd, from.offset, size)) {
    if (!raw.terminated) {
      refuseLostNewline(path, lineNumber + 1, raw.bytes);
      tornTail = { offset: raw.offset, bytes: raw.bytes.length };
      break;
    }
    lineNumber += 1;
    offset = raw.offset + raw.bytes.length + 1;
    const decoded = decodeLine(raw.bytes);
    if (!decoded.ok) throw damage(path, lineNumber, decoded.reason);
    const { line } = decoded;
    const verdict: ChainVerdict = judgeLine(lines, tip, line);
    if (verdict.kind === "damaged") throw damage(path, lineNumber, verdict.reason);
    if (verdict.kind === "unconnected") {
      if (from.offset > 0) return "unconnected";
      throw damage(path, lineNumber, "continues a line that is not there");
    }
    if (verdict.kind === "ignored") {
      ignored.push({ lineNumber, line });
      continue;
    }
    if (verdict.kind === "withdraws") {
      const withdrawn = lines.splice(lines.length - verdict.count);
      const theirs = numbers.splice(numbers.length - verdict.count);
      offsets.splice(offsets.length - verdict.count);
      withdrawn.forEach((each, k) => ignored.push({ lineNumber: theirs[k] ?? 0, line: each }));
    }
    lines.push(line);
    numbers.push(lineNumber);
    offsets.push(raw.offset);
    tip = { seq: line.seq, epoch: line.epoch, sum: line.sum };
  }
  ignored.sort((a, b) => a.lineNumber - b.lineNumber);
  const end = { offset, lineNumber, tip };
  return { lines, offsets, ignored, end, ...(tornTail === undefined ? {} : { tornTail }) };
}

/**
 * A torn write is the beginning of a line. A whole line with something else behind it had its newline once, and was
 * in force: dropping it as torn would undo a commit.
 */
function refuseLostNewline(path: string, lineNumber: number, bytes: Buffer): void {
  for (let end = bytes.indexOf(0x7d); end !== -1; end = bytes.indexOf(0x7d, end + 1)) {
    if (end + 1 < bytes.length && decodeLine(bytes.subarray(0, end + 1)).ok) {
      throw damage(path, lineNumber, "has lost its newline");
    }
  }
}

function open(path: string): ReturnType<typeof openWithoutBlocking> {
  try {
    const opened = openWithoutBlocking(path, { followLinks: false });
    if (opened.stats.isFile()) return opened;
    closeSync(opened.fd);
  } catch (error) {
    if (errorCode(error) === "ENOENT") {
      throw new LoopwrightError("JOURNAL_DAMAGED", `${path} is missing`, {
        where: path,
        hint: WAY_ON,
      });
    }
    throw new LoopwrightError("FILE_UNSAFE", `${path} can't be read (${errorCode(error) ?? ""})`, {
      where: path,
      cause: error,
    });
  }
  throw new LoopwrightError("FILE_UNSAFE", `${path} is not a regular file`, { where: path });
}
