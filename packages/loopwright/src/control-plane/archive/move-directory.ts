import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { diskError, errorCode } from "../../store/disk-error.ts";
import type { Disk } from "../../store/disk.ts";
import { makeDirectoryDurable } from "../../store/durable-write.ts";
import { copyTree } from "./copy-tree.ts";
import { removeTree } from "./remove-tree.ts";

/**
 * Moves a directory to a name that is free. The caller holds what keeps others from writing to it.
 *
 * Within a file system: one rename, so that a crash leaves it here or there. Across: a verified copy is made as
 * `.partial-<name>` and renamed into place, which is the moment that counts; then the old one becomes `.removed-<name>`
 * and is deleted. A crash before that moment leaves the old place in force and a `.partial-…` that the next move of
 * this name replaces; a crash after it leaves two complete places, of which `archive.json` says which one counts, or a
 * `.removed-…` that any later command deletes.
 */
export function moveDirectory(disk: Disk, from: string, to: string): "renamed" | "copied" {
  makeDirectoryDurable(disk, dirname(to));
  refuseTaken(to);
  try {
    disk.rename(from, to);
    disk.syncDirectory(dirname(to));
    disk.syncDirectory(dirname(from));
    return "renamed";
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOTEMPTY" || code === "EEXIST") throw taken(to);
    if (code !== "EXDEV") throw diskError(error, from);
  }
  const partial = partialOf(to);
  removeTree(disk, partial);
  copyTree(disk, from, partial);
  refuseTaken(to);
  try {
    disk.rename(partial, to);
    disk.syncDirectory(dirname(to));
  } catch (error) {
    throw diskError(error, to);
  }
  removeSuperseded(disk, from);
  return "copied";
}

/** Deletes a directory whose complete copy is in force elsewhere. */
export function removeSuperseded(disk: Disk, directory: string): void {
  const doomed = removedOf(directory);
  try {
    disk.rename(directory, doomed);
    disk.syncDirectory(dirname(directory));
  } catch (error) {
    throw diskError(error, directory);
  }
  removeTree(disk, doomed);
}

export function partialOf(path: string): string {
  return join(dirname(path), `.partial-${basename(path)}`);
}

export function removedOf(path: string): string {
  const plain = join(dirname(path), `.removed-${basename(path)}`);
  for (let k = 1; ; k += 1) {
    const candidate = k === 1 ? plain : `${plain}~${k}`;
    if (lstatSync(candidate, { throwIfNoEntry: false }) === undefined) return candidate;
  }
}

function refuseTaken(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw taken(path);
}

function taken(path: string): LoopwrightError {
  return new LoopwrightError("PLACE_TAKEN", `${path} exists already, and nothing is overwritten`, {
    where: path,
  });
}
