import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Entry, Line } from "./journal.ts";

/** The records of a growing journal for watchers that look hundreds of times a second: reads what was added only. */
export function followRecords(path: string): () => readonly Entry[] {
  let offset = 0;
  let records: Entry[] = [];
  return () => {
    const added = readFrom(path, offset);
    if (added === undefined) return records;
    if (added.shrunk) records = [];
    if (added.shrunk) offset = 0;
    const end = added.bytes.lastIndexOf(0x0a) + 1;
    for (const text of added.bytes.subarray(0, end).toString().split("\n").filter(Boolean)) {
      records.push(...(JSON.parse(text) as Line).records);
    }
    offset += end;
    return records;
  };
}

function readFrom(path: string, offset: number): { bytes: Buffer; shrunk: boolean } | undefined {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(fd);
    if (size === offset) return undefined;
    const shrunk = size < offset;
    const from = shrunk ? 0 : offset;
    const bytes = Buffer.alloc(size - from);
    return { bytes: bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from)), shrunk };
  } finally {
    closeSync(fd);
  }
}
