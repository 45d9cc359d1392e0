import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { createLineSplitter, type Line } from "./line-splitter.ts";

/** Follows one file that grows, from its first byte. */
export interface RawTail {
  /** Bytes that the file has by now; 0 while there is none. */
  size(): number;
  /** Lines that became complete among the next 256 KiB. */
  read(): { readonly lines: Line[]; readonly atEnd: boolean };
  /** The rest: a last line without a line end. */
  finish(): Line[];
  close(): void;
}

const CHUNK = 256 * 1024;

/** Shared: reading is synchronous, and whatever is kept is copied. */
const buffer = Buffer.allocUnsafeSlow(CHUNK);

export function createRawTail(path: string): RawTail {
  const splitter = createLineSplitter();
  let fd: number | undefined;
  let position = 0;
  const opened = (): number | undefined => (fd ??= open(path));
  return {
    size() {
      const file = opened();
      return file === undefined ? 0 : fstatSync(file).size;
    },
    read() {
      const file = opened();
      if (file === undefined) return { lines: [], atEnd: true };
      const length = readSync(file, buffer, 0, CHUNK, position);
      position += length;
      return { lines: splitter.push(buffer.subarray(0, length)), atEnd: length < CHUNK };
    },
    finish: () => splitter.end(),
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

function open(path: string): number | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch {
    // Not there yet, or something else stands in its place: there is nothing to read.
  }
  return undefined;
}
