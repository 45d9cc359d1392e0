import { createHash } from "node:crypto";
import { closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { errorCode } from "../../store/disk-error.ts";

export type TreeEntry =
  | { readonly path: string; readonly kind: "directory" }
  | { readonly path: string; readonly kind: "file"; readonly size: number }
  | { readonly path: string; readonly kind: "link"; readonly target: string }
  /** A pipe, a socket or a device. */
  | { readonly path: string; readonly kind: "special" };

/** Everything below a directory, parents before what is in them, by relative path. Links are never followed. */
export function listTree(root: string): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const visit = (directory: string): void => {
    for (const name of names(join(root, directory))) {
      const path = directory === "" ? name : `${directory}/${name}`;
      const found = lstatSync(join(root, path));
      if (found.isDirectory()) {
        entries.push({ path, kind: "directory" });
        visit(path);
      } else if (found.isFile()) entries.push({ path, kind: "file", size: found.size });
      else if (found.isSymbolicLink()) {
        entries.push({ path, kind: "link", target: readlinkSync(join(root, path)) });
      } else entries.push({ path, kind: "special" });
    }
  };
  visit("");
  return entries;
}

/** One digest of all names, kinds, link targets and contents. Special files don't count: they hold nothing. */
export function digestTree(root: string): string {
  const hash = createHash("sha256");
  for (const entry of listTree(root)) {
    if (entry.kind === "special") continue;
    const content =
      entry.kind === "file"
        ? digestFile(join(root, entry.path))
        : entry.kind === "link"
          ? entry.target
          : "";
    hash.update(JSON.stringify([entry.path, entry.kind, content]));
  }
  return hash.digest("hex");
}

/** Files are read in pieces of this size: a raw output may have gigabytes. */
export const PIECE = 1 << 20;

function digestFile(path: string): string {
  const hash = createHash("sha256");
  const fd = openSync(path, "r");
  try {
    const piece = Buffer.allocUnsafe(PIECE);
    for (let read = 1; read > 0;) {
      read = readSync(fd, piece, 0, PIECE, null);
      hash.update(piece.subarray(0, read));
    }
  } finally {
    closeSync(fd);
  }
  return hash.digest("hex");
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch (error) {
    throw new LoopwrightError("DISK_FAILED", `${directory} can't be read (${errorCode(error)})`, {
      where: directory,
      cause: error,
    });
  }
}
