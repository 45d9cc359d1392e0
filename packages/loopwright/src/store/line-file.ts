import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { diskError, errorCode } from "./disk-error.ts";
import type { Disk } from "./disk.ts";
import { clearForFile } from "./found.ts";
import { rawLines } from "./journal-bytes.ts";
import { readUpTo } from "./regular-file.ts";

/** A line of an index that can't be read, by its number from 1. */
export interface BadLine {
  readonly lineNumber: number;
  readonly reason: string;
}

/**
 * Appends one JSON row to an index (run index, ledger): a projection that several processes may append to, not a
 * journal. Begins with a newline when the last writer was cut off. What is no file in its place is moved aside. Throws
 * DISK_FULL or DISK_FAILED.
 */
export function appendRow(
  disk: Disk,
  path: string,
  row: unknown,
  options: { readonly durable?: boolean } = {},
): void {
  try {
    clearForFile(disk, path);
    const fd = openOrCreate(disk, path);
    try {
      const bytes = Buffer.from(`${endsOpen(path) ? "\n" : ""}${JSON.stringify(row)}\n`);
      const written = disk.append(fd, bytes);
      if (written < bytes.length) throw Object.assign(new Error("short write"), { code: "ENOSPC" });
      if (options.durable ?? true) disk.syncData(fd);
    } finally {
      disk.close(fd);
    }
  } catch (error) {
    throw diskError(error, path);
  }
}

export interface Rows {
  readonly rows: unknown[];
  readonly bad: BadLine[];
}

/** Years of iterations. What is larger, or mostly can't be read, was written by somebody else. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_BAD = 1000;

/**
 * All rows of an index, and every line that can't be read. A missing file has no rows. Throws FILE_UNSAFE for what is no
 * file, larger than 64 MiB, or has more than 1,000 bad lines.
 * @param refuse why a value is no row, or undefined
 */
export function readRows(
  path: string,
  refuse: (value: unknown) => string | undefined = () => undefined,
): Rows {
  const rows: unknown[] = [];
  const bad: BadLine[] = [];
  const fd = openForReading(path);
  if (fd === undefined) return { rows, bad };
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw unsafe(path, "is not a regular file");
    if (stats.size > MOST_BYTES) throw unsafe(path, `is larger than ${MOST_BYTES} bytes`);
    let lineNumber = 0;
    for (const { bytes, terminated } of rawLines(fd, 0, stats.size)) {
      lineNumber += 1;
      const reason = terminated ? pushRow(rows, bytes, refuse) : "is not finished";
      if (reason !== undefined) bad.push({ lineNumber, reason });
      if (bad.length > MOST_BAD) throw unsafe(path, `has more than ${MOST_BAD} bad lines`);
    }
  } finally {
    closeSync(fd);
  }
  return { rows, bad };
}

function unsafe(path: string, reason: string): LoopwrightError {
  return new LoopwrightError("FILE_UNSAFE", `${path} ${reason}`, {
    where: path,
    hint: "Move it away; the next coordinator writes it again.",
  });
}

function pushRow(
  rows: unknown[],
  bytes: Buffer,
  refuse: (value: unknown) => string | undefined,
): string | undefined {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return "is not JSON";
  }
  const reason = refuse(value);
  if (reason === undefined) rows.push(value);
  return reason;
}

function openOrCreate(disk: Disk, path: string): number {
  try {
    return disk.openAppend(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  try {
    disk.createExclusive(path, "");
    disk.syncDirectory(dirname(path));
  } catch (error) {
    // Somebody else made it in the same moment.
    if (errorCode(error) !== "EEXIST") throw error;
  }
  return disk.openAppend(path);
}

function endsOpen(path: string): boolean {
  const fd = openForReading(path);
  if (fd === undefined) return false;
  try {
    const { size } = fstatSync(fd);
    return size > 0 && readUpTo(fd, 1, size - 1)[0] !== 0x0a;
  } finally {
    closeSync(fd);
  }
}

function openForReading(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw unsafe(path, `can't be read (${errorCode(error) ?? String(error)})`);
  }
}
