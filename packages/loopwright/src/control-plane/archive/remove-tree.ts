import { chmodSync, lstatSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { diskError, errorCode } from "../../store/disk-error.ts";
import type { Disk } from "../../store/disk.ts";
import { listTree } from "./tree.ts";

/** Removes a directory with all that is in it; links are removed, never followed. Can be cut off and repeated. */
export function removeTree(disk: Disk, root: string): void {
  if (lstatSync(root, { throwIfNoEntry: false }) === undefined) return;
  try {
    chmodSync(root, 0o700);
    for (const entry of listTree(root).reverse()) {
      const path = join(root, entry.path);
      quietlyAbsent(() => (entry.kind === "directory" ? rmdirSync(path) : disk.unlink(path)));
    }
    quietlyAbsent(() => rmdirSync(root));
  } catch (error) {
    throw diskError(error, root);
  }
}

/** Another process may be finishing the same removal. */
function quietlyAbsent(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
