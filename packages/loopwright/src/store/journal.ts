import { fstatSync } from "node:fs";
import { LoopwrightError } from "@loopwright/protocol";
import { diskError } from "./disk-error.ts";
import type { Disk } from "./disk.ts";
import type { Tip } from "./journal-chain.ts";
import { type ForeignLines, foreignLines, ownBeginning } from "./journal-foreign.ts";
import { encodeLine, type JournalLine, type JournalRecord } from "./journal-line.ts";
import { type LoadedJournal, readJournal, rereadOnDamage } from "./journal-reader.ts";
import { nameForFound } from "./found.ts";
import { readUpTo } from "./regular-file.ts";

/** A journal opened by the holder of the lock, the only one who may append or cut. */
export interface Journal {
  readonly path: string;
  /** The last line in force. */
  readonly tip: Tip;
  /** Where the next line will begin. What stands there already isn't ours. */
  readonly end: number;
  /** Lines that a replaced holder wrote since this journal was opened. They are not in force. */
  readonly intruders: readonly JournalLine[];
  /**
   * Commits one line. When it returns, the line is on the disk; it is what a reload would read. When it throws
   * - LOCK_LOST: somebody else holds the lock and decides from now on; nobody may be answered.
   * - DISK_FULL, DISK_FAILED: nothing of the line is in force, and the journal can be used again, unless
   * - `isFatal(error)`: whether the line is in force only a restart can tell. The process has to exit without
   *   answering anybody.
   */
  append(at: string, records: readonly JournalRecord[]): JournalLine;
  /** Looks now at what `append` would look at first: what stands behind the last line that we know, and is not ours. */
  settle(): void;
  /** What was cut off since this was last asked: nobody who held the lock wrote it. A copy lies beside the journal. */
  takeEvicted(): { readonly offset: number; readonly bytes: number }[];
  close(): void;
}

export interface JournalOptions {
  /** Fencing number of the lock that is held. */
  readonly epoch: number;
  /** Whether the lock was lost; asked before each write and each cut. */
  readonly fenced: () => boolean;
}

/** The most that is kept of what was cut off. */
const EVICTED_COPY = 1024 * 1024;

/** After this error the process has to exit: it no longer knows what is on the disk. */
export class JournalFatalError extends LoopwrightError {
  readonly fatal = true;
}

export function isFatal(error: unknown): boolean {
  return error instanceof JournalFatalError;
}

/**
 * Folds the whole journal and opens it for appending; an unfinished last write is cut off (and told in `loaded`).
 * Throws JOURNAL_DAMAGED for damage, LOCK_LOST when a newer epoch wrote here, and what the disk says.
 */
export function openJournal(
  disk: Disk,
  path: string,
  options: JournalOptions,
): { journal: Journal; loaded: LoadedJournal } {
  const loaded = readJournal(path);
  const newest = loaded.end.tip.epoch;
  if (newest > options.epoch) {
    throw new LoopwrightError(
      "LOCK_LOST",
      `${path} was written under lock ${newest}, newer than ours (${options.epoch})`,
      { where: path, hint: "Start again; should it stay so, the files of the lock were deleted." },
    );
  }
  refuseWhenFenced(path, options);
  const fd = guard(path, () => disk.openAppend(path));
  const writer = new JournalWriter(disk, path, fd, options, loaded);
  try {
    // Also without a torn tail: the last lines may be in memory only, left by a writer that was killed before its sync.
    writer.settle();
    guard(path, () => disk.syncData(fd));
  } catch (error) {
    writer.close();
    throw error;
  }
  return { journal: writer, loaded };
}

class JournalWriter implements Journal {
  readonly path: string;
  readonly intruders: JournalLine[] = [];
  #evicted: { offset: number; bytes: number }[] = [];
  tip: Tip;
  readonly #disk: Disk;
  readonly #fd: number;
  readonly #options: JournalOptions;
  /** End of the last whole line that we know. What lies behind it is an unfinished write, or an intruder's. */
  #end: number;
  #lineNumber: number;
  #fatal: JournalFatalError | undefined;

  constructor(
    disk: Disk,
    path: string,
    fd: number,
    options: JournalOptions,
    loaded: LoadedJournal,
  ) {
    this.path = path;
    this.#disk = disk;
    this.#fd = fd;
    this.#options = options;
    this.tip = loaded.end.tip;
    this.#end = loaded.end.offset;
    this.#lineNumber = loaded.end.lineNumber;
  }

  append(at: string, records: readonly JournalRecord[]): JournalLine {
    if (this.#fatal !== undefined) throw this.#fatal;
    refuseWhenFenced(this.path, this.#options);
    this.settle();
    const { seq, sum } = this.tip;
    const bytes = encodeLine({ seq: seq + 1, at, epoch: this.#options.epoch, prev: sum, records });
    this.#write(bytes);
    // A crash here leaves a whole line that nobody was told of: the restart finds it in force, and callers repeat.
    try {
      this.#disk.syncData(this.#fd);
    } catch (error) {
      throw this.#die(diskError(error, this.path).message, error);
    }
    const line = JSON.parse(bytes.toString()) as JournalLine;
    this.#advance(bytes);
    this.tip = { seq: line.seq, epoch: line.epoch, sum: line.sum };
    return line;
  }

  get end(): number {
    return this.#end;
  }

  takeEvicted(): { offset: number; bytes: number }[] {
    const evicted = this.#evicted;
    this.#evicted = [];
    return evicted;
  }

  close(): void {
    this.#disk.close(this.#fd);
  }

  /** Looks at what lies behind the last line that we know: takes note of an intruder's lines, cuts what isn't whole. */
  settle(): void {
    const size = this.#size();
    if (size === this.#end) return;
    if (size < this.#end) throw this.#tampered("was cut by somebody else");
    const found = this.#foreign(size);
    if (found.rest > 0) this.#cut(size - found.rest);
  }

  #write(bytes: Buffer): void {
    let written: number;
    try {
      written = this.#disk.append(this.#fd, bytes);
    } catch (error) {
      this.#undo(bytes);
      throw diskError(error, this.path);
    }
    if (written === bytes.length) return;
    this.#undo(bytes);
    throw diskError(Object.assign(new Error("short write"), { code: "ENOSPC" }), this.path);
  }

  /**
   * Takes back what a failed write left. Only bytes that are recognisably ours are cut, and only at the end of the
   * file: an intruder may have appended in the same moment. When the cut itself fails, what is left of half a line is in
   * force for nobody, and the next append cuts first; a whole line that was reported as failed must not stay.
   */
  #undo(bytes: Buffer): void {
    const size = this.#size();
    if (size <= this.#end) return;
    const start = ownBeginning(this.#fd, this.#end, size, bytes);
    if (start === undefined) throw this.#die(`${this.path} holds a torn line that can't be undone`);
    try {
      this.#cut(start);
    } catch (error) {
      if (size - start === bytes.length)
        throw this.#die(diskError(error, this.path).message, error);
      throw error;
    }
  }

  #cut(size: number): void {
    refuseWhenFenced(this.path, this.#options);
    guard(this.path, () => this.#disk.truncate(this.#fd, size));
    try {
      this.#disk.syncData(this.#fd);
    } catch (error) {
      throw this.#die(diskError(error, this.path).message, error);
    }
  }

  /** Our line lies at the known end, unless an intruder's got in between in the same moment. */
  #advance(bytes: Buffer): void {
    const size = this.#size();
    if (size === this.#end + bytes.length) {
      this.#end = size;
      this.#lineNumber += 1;
      return;
    }
    const found = this.#foreign(size, bytes);
    if (!found.sawOwn) throw this.#tampered("lost a line that was just written");
  }

  /** Reads and passes over the whole lines behind the known end. */
  #foreign(size: number, own?: Buffer): { rest: number; sawOwn: boolean } {
    let found: ForeignLines;
    try {
      found = rereadOnDamage(() =>
        foreignLines(this.path, this.#fd, this.#end, size, this.#lineNumber, own),
      );
    } catch (error) {
      if (!(error instanceof LoopwrightError)) throw error;
      return this.#evict(size, own);
    }
    const newest = Math.max(0, ...found.lines.map((line) => line.epoch));
    if (newest >= this.#options.epoch) return this.#evict(size, own);
    this.intruders.push(...found.lines);
    this.#lineNumber += found.lines.length + (found.sawOwn ? 1 : 0);
    this.#end = size - found.rest;
    return found;
  }

  /**
   * What is no line, a line of our epoch that we didn't write, or one of a newer epoch while the lock is ours: somebody
   * wrote it who may not. The session goes on from what was really decided.
   */
  #evict(size: number, own?: Buffer): { rest: number; sawOwn: boolean } {
    refuseWhenFenced(this.path, this.#options);
    // In the moment of our own write: it may be chained behind theirs.
    if (own !== undefined) throw this.#tampered("was written by somebody else while we wrote");
    const bytes = size - this.#end;
    const copy = readUpTo(this.#fd, Math.min(bytes, EVICTED_COPY), this.#end);
    guard(this.path, () => this.#disk.createExclusive(nameForFound(this.path), copy));
    this.#cut(this.#end);
    this.#evicted.push({ offset: this.#end, bytes });
    return { rest: 0, sawOwn: false };
  }

  #size(): number {
    const stats = fstatSync(this.#fd);
    // What goes into a removed file is lost, however durably.
    if (stats.nlink === 0) throw this.#tampered("was removed or replaced");
    return stats.size;
  }

  /** Reading it anew would take for the truth what is left of it: a person has to look first. */
  #tampered(what: string): JournalFatalError {
    this.#fatal = new JournalFatalError("JOURNAL_DAMAGED", `${this.path} ${what}`, {
      where: this.path,
      hint: "Bring it back from a copy, look at it with `loopwright verify`, or start a new session with: loopwright run --new",
    });
    return this.#fatal;
  }

  #die(message: string, cause?: unknown): JournalFatalError {
    this.#fatal = new JournalFatalError("DISK_FAILED", message, {
      where: this.path,
      cause,
      hint: "The coordinator has to exit and be started again.",
    });
    return this.#fatal;
  }
}

function refuseWhenFenced(path: string, options: JournalOptions): void {
  if (options.fenced()) throw lockLost(path);
}

function lockLost(path: string): LoopwrightError {
  return new LoopwrightError("LOCK_LOST", `Another coordinator took over ${path}`, { where: path });
}

function guard<T>(path: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    throw diskError(error, path);
  }
}
