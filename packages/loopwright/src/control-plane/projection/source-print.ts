import { statSync } from "node:fs";
import type { SourcePrint } from "@loopwright/protocol";
import { errorCode } from "../../store/disk-error.ts";

type Times = Omit<SourcePrint, "path" | "digest" | "settled">;

/** Clocks of file systems tick in steps of up to 10 ms: within these a second change shows in no time stamp. */
const SETTLED_AFTER_MS = 50;

/**
 * How something looks now. To be taken before it is read: then what changes meanwhile is noticed later.
 * @param name what the projection calls it
 */
export function printOf(name: string, path: string): SourcePrint {
  const { times, known } = look(path);
  // The system's clock and no other: it is compared with what the file system stamped.
  const now = Date.now();
  const changed = Math.max(times.mtime_ms ?? 0, times.ctime_ms ?? 0);
  return { path: name, ...times, digest: null, settled: known && now - changed > SETTLED_AFTER_MS };
}

/** Whether nothing has happened to a source since. One `stat`. False for what had not settled then: look at its content. */
export function isUnchanged(print: SourcePrint, path: string): boolean {
  return print.settled && looksAsBefore(print, path);
}

export function looksAsBefore(print: SourcePrint, path: string): boolean {
  const { times, known } = look(path);
  return (
    known &&
    print.size === times.size &&
    print.mtime_ms === times.mtime_ms &&
    print.ctime_ms === times.ctime_ms &&
    print.inode === times.inode
  );
}

const NOTHING: Times = { size: null, mtime_ms: null, ctime_ms: null, inode: null };

function look(path: string): { times: Times; known: boolean } {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { times: NOTHING, known: true };
    const { size, mtimeMs, ctimeMs, ino } = found;
    return { times: { size, mtime_ms: mtimeMs, ctime_ms: ctimeMs, inode: ino }, known: true };
  } catch (error) {
    // A parent that is no directory is nothing there; a look that isn't allowed says nothing.
    return { times: NOTHING, known: errorCode(error) === "ENOTDIR" };
  }
}
