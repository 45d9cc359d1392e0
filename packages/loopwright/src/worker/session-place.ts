import { basename, dirname, join } from "node:path";

/** The goal directory that a session directory, also a child's, lies in. */
export function goalDirectoryOf(sessionDirectory: string): string {
  let directory = sessionDirectory;
  while (basename(directory) !== "sessions") {
    const parent = dirname(directory);
    if (parent === directory) return dirname(sessionDirectory);
    directory = parent;
  }
  return dirname(directory);
}

/** Cache through which the goal's checkout is read: kept over sessions, because the first reading hashes every file. */
export function checkoutCacheOf(sessionDirectory: string): string {
  return join(goalDirectoryOf(sessionDirectory), "checkout-cache");
}
