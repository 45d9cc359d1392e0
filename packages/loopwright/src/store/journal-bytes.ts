import { readUpTo } from "./regular-file.ts";

export interface RawLine {
  /** Without the newline. Valid until the next one is asked for. */
  readonly bytes: Buffer;
  /** Where it begins in the file. */
  readonly offset: number;
  /** False for what follows the last newline: a write that isn't complete. */
  readonly terminated: boolean;
}

const CHUNK = 1024 * 1024;
const NEWLINE = 0x0a;

/** The lines between two offsets of a file, in the memory of a chunk and the longest line. */
export function* rawLines(fd: number, from: number, to: number): Generator<RawLine> {
  // Put together once it ends: a line of many chunks would otherwise be copied with each of them.
  let carried: Buffer[] = [];
  let offset = from;
  for (let position = from; position < to;) {
    const chunk = readUpTo(fd, Math.min(CHUNK, to - position), position);
    if (chunk.length === 0) break;
    position += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const part = chunk.subarray(start, end);
      const bytes = carried.length === 0 ? part : Buffer.concat([...carried, part]);
      yield { bytes, offset, terminated: true };
      offset += bytes.length + 1;
      carried = [];
      start = end + 1;
    }
    if (start < chunk.length) carried.push(chunk.subarray(start));
  }
  if (carried.length > 0) yield { bytes: Buffer.concat(carried), offset, terminated: false };
}
