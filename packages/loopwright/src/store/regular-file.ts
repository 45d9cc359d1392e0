import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";

export interface OpenedFile {
  readonly fd: number;
  readonly stats: Stats;
}

/**
 * Opens for reading without ever blocking: what lies there may be a FIFO, a device or a socket. The caller checks
 * `stats` and closes. Throws Node's error: ENOENT, ELOOP (a link, with `followLinks: false`), ENXIO (a socket).
 */
export function openWithoutBlocking(path: string, options: { followLinks: boolean }): OpenedFile {
  const noFollow = options.followLinks ? 0 : constants.O_NOFOLLOW;
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
  try {
    return { fd, stats: fstatSync(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Reads at most `limit` bytes from `position`. Fewer than `limit` means that the end was reached. */
export function readUpTo(fd: number, limit: number, position = 0): Buffer {
  const buffer = Buffer.allocUnsafe(limit);
  let length = 0;
  while (length < limit) {
    const read = readSync(fd, buffer, length, limit - length, position + length);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}
