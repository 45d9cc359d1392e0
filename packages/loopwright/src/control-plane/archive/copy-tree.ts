import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { diskError } from "../../store/disk-error.ts";
import type { Disk } from "../../store/disk.ts";
import { digestTree, listTree, PIECE } from "./tree.ts";

/**
 * Copies a directory to a place that doesn't exist yet, durably, and reads the copy back. Pipes, sockets and devices are
 * left out. Throws DISK_FULL, DISK_FAILED, and STATE_MOVED when something wrote to the source meanwhile: the copy is
 * then not to be used.
 */
export function copyTree(disk: Disk, from: string, to: string): void {
  const before = digestTree(from);
  try {
    disk.mkdir(to);
    const entries = listTree(from);
    for (const entry of entries) {
      const [source, target] = [join(from, entry.path), join(to, entry.path)];
      if (entry.kind === "directory") disk.mkdir(target);
      if (entry.kind === "link") symlinkSync(entry.target, target);
      if (entry.kind === "file") copyFile(disk, source, target);
    }
    // Deepest first: a directory's time changes with what is made in it.
    for (const entry of entries.filter(({ kind }) => kind === "directory").reverse()) {
      keepModeAndTime(join(from, entry.path), join(to, entry.path));
      disk.syncDirectory(join(to, entry.path));
    }
    disk.syncDirectory(to);
  } catch (error) {
    throw diskError(error, to);
  }
  if (digestTree(to) !== before || digestTree(from) !== before) {
    throw new LoopwrightError("STATE_MOVED", `${from} changed while it was copied`, {
      where: from,
      hint: "Nothing was moved. Find out what writes there, end it, and try again.",
    });
  }
}

function copyFile(disk: Disk, from: string, to: string): void {
  disk.createExclusive(to, "", { sync: false });
  const source = openSync(from, "r");
  try {
    const target = disk.openAppend(to);
    try {
      const piece = Buffer.allocUnsafe(PIECE);
      for (;;) {
        const read = readSync(source, piece, 0, PIECE, null);
        if (read === 0) break;
        if (disk.append(target, piece.subarray(0, read)) < read) {
          throw Object.assign(new Error("short write"), { code: "ENOSPC" });
        }
      }
      disk.syncData(target);
    } finally {
      disk.close(target);
    }
  } finally {
    closeSync(source);
  }
  keepModeAndTime(from, to);
}

function keepModeAndTime(from: string, to: string): void {
  const { mode, atime, mtime } = lstatSync(from);
  chmodSync(to, mode & 0o7777);
  utimesSync(to, atime, mtime);
}
