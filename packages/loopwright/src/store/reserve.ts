import { rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { diskError, errorCode } from "./disk-error.ts";
import { temporaryBeside } from "./durable-write.ts";
import type { Disk } from "./disk.ts";

const RESERVE_BYTES = 4 * 1024 * 1024;

/**
 * Sets space aside in a goal's directory, so that a coordinator whose disk is full can still write down that it paused
 * for that. Throws DISK_FULL when there is not even that much.
 */
export function ensureReserve(disk: Disk, path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && found.size >= RESERVE_BYTES) return;
  const temporary = temporaryBeside(path);
  try {
    disk.reserve(temporary, RESERVE_BYTES);
    disk.rename(temporary, path);
    disk.syncDirectory(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw diskError(error, path);
  }
}

/** Gives the space back. Returns false when there was none: then also the next write may fail. */
export function releaseReserve(disk: Disk, path: string): boolean {
  try {
    disk.unlink(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw diskError(error, path);
  }
  try {
    disk.syncDirectory(dirname(path));
  } catch (error) {
    throw diskError(error, path);
  }
  return true;
}
