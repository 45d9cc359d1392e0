import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { diskError } from "./disk-error.ts";
import type { Disk } from "./disk.ts";

/** Moves what stands in a place of ours to `<name>.found-<k>`, unopened. Throws DISK_FULL or DISK_FAILED. */
export function moveAside(disk: Disk, path: string): void {
  try {
    disk.rename(path, nameForFound(path));
    disk.syncDirectory(dirname(path));
  } catch (error) {
    throw diskError(error, path);
  }
}

/** The same for what is no regular file where one of ours has to be. */
export function clearForFile(disk: Disk, path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) moveAside(disk, path);
}

/** A free name beside a path, for what somebody else put there. */
export function nameForFound(path: string): string {
  let k = 1;
  while (lstatSync(`${path}.found-${k}`, { throwIfNoEntry: false }) !== undefined) k += 1;
  return `${path}.found-${k}`;
}
