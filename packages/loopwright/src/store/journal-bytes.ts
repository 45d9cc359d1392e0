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

/** The lines between two offsets of a file, in bounded memory. */
export function* rawLines(fd: number, from: number, to: number): Generator<RawLine> {
  let carried: Buffer = Buffer.alloc(0);
  let offset = from;
  for (let position = from; position < to;) {
    const chunk = readUpTo(fd, Math.min(CHUNK, to - position), position);
    if (chunk.length === 0) break;
    position += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const part = chunk.subarray(start, end);
      const bytes = carried.length === 0 ? part : Buffer.concat([carried, part]);
      yield { bytes, offset, terminated: true };
      offset += bytes.length + 1;
      carried = carried.subarray(carried.length);
      start = end + 1;
    }
    carried = Buffer.concat([carried, chunk.subarray(start)]);
  }
  if (carried.length > 0) yield { bytes: carried, offset, terminated: false };
}
