import { closeSync, fstatSync, readSync } from "node:fs";
import { createRedactor } from "../../agents/redaction/redactor.ts";
import { openWithoutBlocking } from "../../store/regular-file.ts";

export interface Slice {
  readonly text: string;
  readonly offset: number;
  /** Where the next slice begins; equals `size` at the end. */
  readonly next: number;
  readonly size: number;
}

/** A secret or a character that a slice would cut in two is seen whole this far beyond it. Bytes. */
const MARGIN = 8 * 1024;

/**
 * Bytes of a file of a session as text, decoded leniently, secrets redacted. Undefined when there is no such regular
 * file. Links aren't followed: an agent may have put one there.
 */
export function readSlice(path: string, offset: number, limit: number): Slice | undefined {
  const opened = open(path);
  if (opened === undefined) return undefined;
  try {
    const { size } = fstatSync(opened);
    const from = Math.min(offset, size);
    const to = Math.min(from + limit, size);
    const start = Math.max(0, from - MARGIN);
    const bytes = Buffer.alloc(Math.min(size, to + MARGIN) - start);
    const got = readSync(opened, bytes, 0, bytes.length, start);
    const window = bytes.subarray(0, got).toString("latin1");
    const [begin, end] = [from - start, Math.min(to - start, got)];
    return { text: redacted(window, begin, end), offset: from, next: start + end, size };
  } finally {
    closeSync(opened);
  }
}

/** Undefined for what isn't a regular file, or isn't there. */
export function sizeOf(path: string): number | undefined {
  const opened = open(path);
  if (opened === undefined) return undefined;
  const { size } = fstatSync(opened);
  closeSync(opened);
  return size;
}

function open(path: string): number | undefined {
  try {
    const { fd, stats } = openWithoutBlocking(path, { followLinks: false });
    if (stats.isFile()) return fd;
    closeSync(fd);
  } catch {
    // It isn't there, or is a link.
  }
  return undefined;
}

/** Bytes as latin1 characters in, decoded text out. */
function redacted(window: string, begin: number, end: number): string {
  const redactor = createRedactor(process.env, { bytes: true });
  let text = "";
  let at = begin;
  for (const [start, stop] of redactor.spans(window)) {
    if (stop <= begin) continue;
    if (start >= end) break;
    text += window.slice(at, Math.max(at, Math.min(start, end)));
    if (start >= begin) text += "[redacted]";
    at = Math.min(stop, end);
  }
  return Buffer.from(text + window.slice(at, end), "latin1").toString("utf8");
}
