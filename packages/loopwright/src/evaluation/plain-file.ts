import { chmodSync, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { createHash } from "node:crypto";

/** What stands at a path, without following a link or opening anything but a regular file. */
export type Standing =
  | { readonly kind: "absent" | "link" | "other" }
  | { readonly kind: "file" | "directory"; readonly mode: number };

export function standing(place: Buffer | string): Standing {
  try {
    const stat = lstatSync(place);
    if (stat.isFile()) return { kind: "file", mode: stat.mode & 0o7777 };
    if (stat.isDirectory()) return { kind: "directory", mode: stat.mode & 0o7777 };
    return { kind: stat.isSymbolicLink() ? "link" : "other" };
  } catch {
    return { kind: "absent" };
  }
}

/** Hash of a regular file's content; undefined when it can't be read as one. A file closed to us is opened first. */
export function hashFile(place: Buffer | string): string | undefined {
  const found = standing(place);
  if (found.kind !== "file") return undefined;
  try {
    if ((found.mode & 0o400) === 0) chmodSync(place, found.mode | 0o400);
    const fd = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return fstatSync(fd).isFile() ? hashDescriptor(fd) : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

const CHUNK = 256 * 1024;

function hashDescriptor(fd: number): string {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    const length = readSync(fd, buffer, 0, CHUNK, null);
    if (length === 0) return hash.digest("hex");
    hash.update(buffer.subarray(0, length));
  }
}
