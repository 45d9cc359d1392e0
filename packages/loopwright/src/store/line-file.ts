import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { diskError, errorCode } from "./disk-error.ts";
import type { Disk } from "./disk.ts";
import { rawLines } from "./journal-bytes.ts";
import { readUpTo } from "./regular-file.ts";

/** A line of an index that can't be read, by its number from 1. */
export interface BadLine {
  readonly lineNumber: number;
  readonly reason: string;
}

/**
 * Appends one JSON row to an index (run index, ledger): a projection that several processes may append to, not a
 * journal. Begins with a newline when the last writer was cut off. Throws DISK_FULL or DISK_FAILED.
 */
export function appendRow(
  disk: Disk,
  path: string,
  row: unknown,
  options: { readonly durable?: boolean } = {},
): void {
  try {
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
  /** Of each row its line number, from 1. */
  readonly lineNumbers: number[];
  readonly bad: BadLine[];
}

/** All rows of an index, and every line that can't be read. A missing file has no rows. */
export function readRows(path: string): Rows {
  const rows: unknown[] = [];
  const lineNumbers: number[] = [];
  const bad: BadLine[] = [];
  const fd = openForReading(path);
  if (fd === undefined) return { rows, lineNumbers, bad };
  try {
    let lineNumber = 0;
    for (const { bytes, terminated } of rawLines(fd, 0, fstatSync(fd).size)) {
      lineNumber += 1;
      const reason = terminated ? pushRow(rows, bytes) : "is not finished";
      if (reason !== undefined) bad.push({ lineNumber, reason });
      else if (rows.length > lineNumbers.length) lineNumbers.push(lineNumber);
    }
  } finally {
    closeSync(fd);
  }
  return { rows, lineNumbers, bad };
}

function pushRow(rows: unknown[], bytes: Buffer): string | undefined {
  if (bytes.length === 0) return undefined;
  try {
    rows.push(JSON.parse(bytes.toString("utf8")));
    return undefined;
  } catch {
    return "is not JSON";
  }
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
    throw error;
  }
}
