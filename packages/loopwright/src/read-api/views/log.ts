import { setImmediate } from "node:timers/promises";
import { existsSync } from "node:fs";
import type { SessionRecord } from "../session/open-record.ts";
import { iterationFiles } from "./iteration.ts";
import { readSlice, sizeOf } from "./text-file.ts";

export interface LogPage {
  /** Bytes. */
  readonly offset: number;
  readonly limit: number;
  /** Instead of an offset: this many last lines, as far as `limit` reaches. */
  readonly tail: number | undefined;
  /** Lines that contain this, whatever their case. */
  readonly find: string | undefined;
}

/**
 * What an agent printed, by bytes: `output.log`, or what it has printed so far. With `find`: the matching lines of all
 * of it, with their numbers.
 */
export async function logView(session: SessionRecord, n: number, page: LogPage): Promise<object> {
  const files = iterationFiles(session, n);
  const over = existsSync(files.output);
  const path = over ? files.output : files.stdoutRaw;
  const head = {
    schema_version: 1,
    session_id: session.id,
    iteration: n,
    source: over ? "output.log" : "stdout.raw",
    live: !over,
  };
  const size = sizeOf(path) ?? 0;
  if (page.find !== undefined && page.find !== "")
    return { ...head, size, ...(await findLines(path, size, page.find)) };
  const slice =
    page.tail === undefined
      ? readSlice(path, page.offset, page.limit)
      : lastLines(path, size, page.tail, page.limit);
  return {
    ...head,
    size,
    offset: slice?.offset ?? 0,
    next_offset: slice?.next ?? 0,
    truncated: (slice?.offset ?? 0) > 0 || (slice?.next ?? size) < size,
    text: slice?.text ?? "",
  };
}

function lastLines(path: string, size: number, lines: number, limit: number) {
  const slice = readSlice(path, Math.max(0, size - limit), limit);
  if (slice === undefined) return undefined;
  const all = slice.text.replace(/\n$/, "").split("\n");
  if (all.length <= lines) return slice;
  const text = `${all.slice(-lines).join("\n")}${slice.text.endsWith("\n") ? "\n" : ""}`;
  return { ...slice, text, offset: slice.next - Buffer.byteLength(text) };
}

const CHUNK = 256 * 1024;
const MATCHES = 200;
const LONGEST_LINE = 2000;

async function findLines(path: string, size: number, wanted: string): Promise<object> {
  const needle = wanted.toLowerCase();
  const matches: { line: number; text: string }[] = [];
  let [total, line, carried] = [0, 0, ""];
  const look = (text: string): void => {
    line += 1;
    if (!text.toLowerCase().includes(needle)) return;
    total += 1;
    if (matches.length < MATCHES) matches.push({ line, text: text.slice(0, LONGEST_LINE) });
  };
  for (let offset = 0; offset < size;) {
    const slice = readSlice(path, offset, CHUNK);
    if (slice === undefined || slice.next === offset) break;
    offset = slice.next;
    const parts = (carried + slice.text).split("\n");
    carried = (parts.pop() ?? "").slice(0, CHUNK);
    for (const part of parts) look(part);
    // Tens of megabytes take a while: others get their turn.
    await setImmediate();
  }
  if (carried !== "") look(carried);
  return { find: wanted, matches, total_matches: total, total_lines: line };
}
