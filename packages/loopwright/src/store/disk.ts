import { randomFillSync } from "node:crypto";
import {
  closeSync,
  constants,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";

/**
 * Every operation by which the store changes the disk. Tests put a disk in front that fails, writes short or kills the
 * process at the n-th operation. Synchronous: for small files that is 2 to 5 times cheaper than promises.
 * Errors are Node's own (`code: "ENOSPC"`); callers turn them into `LoopwrightError`s.
 */
export interface Disk {
  /** Creates a file that must not exist (0600), writes all of it and syncs it, unless `sync` is false. */
  createExclusive(path: string, data: string | Uint8Array, options?: { sync?: boolean }): void;
  link(from: string, to: string): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  /** One directory (0700), not its parents. */
  mkdir(path: string): void;
  syncDirectory(path: string): void;
  /** Opens for appending and reading (O_APPEND, no links followed). The file must exist. */
  openAppend(path: string): number;
  /** One write call. Returns the bytes really written: fewer than given means that the disk is full. */
  append(fd: number, data: Uint8Array): number;
  /** fdatasync. After a failure nothing is known about what earlier writes left on the disk. */
  syncData(fd: number): void;
  truncate(fd: number, size: number): void;
  close(fd: number): void;
  /** Creates a file of that many really allocated bytes: neither sparse nor compressible. */
  reserve(path: string, bytes: number): void;
}

export const systemDisk: Disk = {
  createExclusive(path, data, options = {}) {
    createFile(path, typeof data === "string" ? Buffer.from(data) : data, options.sync ?? true);
  },
  link: linkSync,
  rename: renameSync,
  unlink: unlinkSync,
  mkdir(path) {
    mkdirSync(path, { mode: 0o700 });
  },
  syncDirectory(path) {
    const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(fd);
    } catch (error) {
      // Some network file systems can't sync a directory and say so.
      if ((error as NodeJS.ErrnoException).code !== "EINVAL") throw error;
    } finally {
      closeSync(fd);
    }
  },
  openAppend: (path) =>
    openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW),
  append: (fd, data) => writeSync(fd, data),
  syncData: fdatasyncSync,
  truncate: ftruncateSync,
  close: closeSync,
  reserve(path, bytes) {
    createFile(path, randomFillSync(new Uint8Array(bytes)), true);
  },
};

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

function createFile(path: string, data: Uint8Array, sync: boolean): void {
  const fd = openSync(path, CREATE, 0o600);
  try {
    for (let written = 0; written < data.length;) {
      written += writeSync(fd, data, written);
    }
    if (sync) fsyncSync(fd);
  } catch (error) {
    // Half a file under a name that was ours alone helps nobody; the error of the write is the one to tell.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}
