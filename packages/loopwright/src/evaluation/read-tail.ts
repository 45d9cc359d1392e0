import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** The last `maxBytes` of a regular file as text, "" where there is none. A character cut at the start becomes U+FFFD. */
export function readTail(path: string, maxBytes: number): string {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return "";
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return "";
    const length = Math.min(stat.size, maxBytes);
    const buffer = Buffer.alloc(length);
    const read = readSync(fd, buffer, 0, length, stat.size - length);
    return buffer.toString("utf8", 0, read);
  } finally {
    closeSync(fd);
  }
}
