import { lstatSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Disk } from "./disk.ts";
import { makeDirectoryDurable } from "./durable-write.ts";
import { moveAside } from "./found.ts";

/**
 * Makes a directory below `root` that is really there: an agent can put a link, a file or a FIFO in its place or its
 * parent's, through which we would write elsewhere. What stands in the way is moved aside unopened.
 * @param root a directory of ours that holds `path`
 */
export function makeOwnDirectory(disk: Disk, root: string, path: string): void {
  for (const directory of way(root, path)) {
    const found = lstatSync(directory, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) continue;
    if (found !== undefined) moveAside(disk, directory);
    return makeDirectoryDurable(disk, path);
  }
}

/** Nothing stands at `path` afterwards: what did, whatever it is, lies beside it as `<name>.found-<k>`. */
export function clearPlace(disk: Disk, root: string, path: string): void {
  for (const directory of way(root, path)) {
    const found = lstatSync(directory, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (directory === path || !found.isDirectory()) return moveAside(disk, directory);
  }
}

/** `root/a`, `root/a/b` of `root/a/b`. */
function way(root: string, path: string): string[] {
  const names = relative(root, path).split(sep);
  return names.map((_, index) => join(root, ...names.slice(0, index + 1)));
}
