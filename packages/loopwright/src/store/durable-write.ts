import { randomBytes } from "node:crypto";
import { lstatSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { diskError, errorCode } from "./disk-error.ts";
import type { Disk } from "./disk.ts";
import { moveAside } from "./found.ts";

export interface WriteOptions {
  /** False: readers still never see half a file, but a power failure may bring back the old one. Default true. */
  readonly durable?: boolean;
}

/**
 * Replaces a file as a whole. A crash leaves the old content or the new, and at worst a `.….tmp` beside it that
 * nobody reads. A directory in its place is moved aside first, to `<name>.found-<k>`. Throws DISK_FULL or DISK_FAILED;
 * the old content is then still in place, except that after a failed sync of the directory the new one may be.
 */
export function writeDurable(
  disk: Disk,
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): void {
  const durable = options.durable ?? true;
  const temporary = temporaryBeside(path);
  try {
    disk.createExclusive(temporary, data, { sync: durable });
    replace(disk, temporary, path);
    if (durable) disk.syncDirectory(dirname(path));
  } catch (error) {
    removeQuietly(disk, temporary);
    throw diskError(error, path);
  }
}

/**
 * Creates a file that must not exist yet, complete from its first moment on. Returns false, and changes nothing, when
 * the name is taken: of several that try, exactly one gets true.
 */
export function createDurable(disk: Disk, path: string, data: string | Uint8Array): boolean {
  const temporary = temporaryBeside(path);
  try {
    disk.createExclusive(temporary, data);
    disk.link(temporary, path);
    disk.unlink(temporary);
    disk.syncDirectory(dirname(path));
    return true;
  } catch (error) {
    removeQuietly(disk, temporary);
    if (errorCode(error) === "EEXIST") return false;
    throw diskError(error, path);
  }
}

/** A rename takes the place of anything but a directory, which an agent can have put there. */
function replace(disk: Disk, temporary: string, path: string): void {
  try {
    disk.rename(temporary, path);
  } catch (error) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
    moveAside(disk, path);
    disk.rename(temporary, path);
  }
}

/** Makes a directory and its missing parents (0700), each one synced into its parent. Existing ones are left alone. */
export function makeDirectoryDurable(disk: Disk, path: string): void {
  if (isDirectory(path)) return;
  makeDirectoryDurable(disk, dirname(path));
  try {
    disk.mkdir(path);
  } catch (error) {
    // Somebody else made it in between: also their work has to be durable before ours builds on it.
    if (errorCode(error) !== "EEXIST" || !isDirectory(path)) throw diskError(error, path);
  }
  try {
    disk.syncDirectory(dirname(path));
  } catch (error) {
    throw diskError(error, path);
  }
}

/** A name that no other write uses, in the same directory, hidden from listings that skip dot files. */
export function temporaryBeside(path: string): string {
  const unique = `${process.pid}-${randomBytes(6).toString("hex")}`;
  return join(dirname(path), `.${basename(path)}.${unique}.tmp`);
}

function removeQuietly(disk: Disk, path: string): void {
  try {
    disk.unlink(path);
  } catch {
    // It was renamed or never made, or the disk refuses this too: the first error is the one to tell.
  }
}

function isDirectory(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory()) {
    throw new LoopwrightError("FILE_UNSAFE", `${path} should be a directory, but is not one`, {
      where: path,
    });
  }
  return found !== undefined;
}
