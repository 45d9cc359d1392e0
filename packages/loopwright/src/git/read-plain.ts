import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * Text of a regular file of at most `maxBytes`, else undefined. Never blocks: an agent may have planted a FIFO or a
 * device anywhere inside `.git`.
 */
export function readPlain(path: string, maxBytes = 64 * 1024 * 1024): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(fd, "utf8") : undefined;
  } finally {
    closeSync(fd);
  }
}
