import { closeSync, openSync, readdirSync, readSync } from "node:fs";

/** A row of `/proc/<pid>/stat`, proc(5). */
export interface StatRow {
  readonly pid: number;
  readonly name: string;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly threads: number;
  readonly start_time: string;
}

const page = Buffer.allocUnsafe(64 * 1024);
const ENVIRONMENT_LIMIT = 8 * 1024 * 1024;

/** `gone`: no entry, which with `hidepid=2` also holds for other users' processes. `hidden`: there, but not for us. */
export function readStat(pid: number): StatRow | "gone" | "hidden" {
  try {
    return parseStat(readStart(`/proc/${pid}/stat`).toString("latin1"));
  } catch (error) {
    return isGone(error) ? "gone" : "hidden";
  }
}

/** The name stands in parentheses and may itself hold spaces and parentheses: fields count from the last one. */
export function parseStat(line: string): StatRow {
  const open = line.indexOf("(");
  const close = line.lastIndexOf(")");
  const fields = line.slice(close + 2).split(" ");
  return {
    pid: Number(line.slice(0, open)),
    name: line.slice(open + 1, close),
    state: fields[0] ?? "?",
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    threads: Number(fields[17]),
    start_time: fields[19]?.trim() ?? "",
  };
}

/** A thread group whose first thread has ended shows `Z` while its other threads live on: that one isn't dead. */
export function isDead(row: StatRow): boolean {
  return row.state === "X" || row.state === "x" || (row.state === "Z" && row.threads <= 1);
}

export function listPids(): number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

export function readCommand(pid: number, name: string): string {
  try {
    const line = readStart(`/proc/${pid}/cmdline`).toString("utf8");
    const words = line.split("\0").join(" ").trim();
    return words === "" ? `[${name}]` : words.slice(0, 200);
  } catch {
    return `[${name}]`;
  }
}

/** Whether the environment that the process was started with holds exactly `entry` (`NAME=value`). */
export function hasEnvironmentEntry(pid: number, entry: string): boolean {
  try {
    const environment = readWhole(`/proc/${pid}/environ`);
    return environment.indexOf(`\0${entry}\0`) >= 0 || environment.indexOf(`${entry}\0`) === 0;
  } catch {
    return false;
  }
}

/** At most 64 KiB; the returned view is only valid until the next read. */
function readStart(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    return page.subarray(0, readSync(file, page, 0, page.length, null));
  } finally {
    closeSync(file);
  }
}

function readWhole(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    let length = readSync(file, page, 0, page.length, null);
    if (length < page.length) return page.subarray(0, length);
    const chunks = [Buffer.from(page)];
    for (let total = length; total < ENVIRONMENT_LIMIT && length > 0; total += length) {
      length = readSync(file, page, 0, page.length, null);
      chunks.push(Buffer.from(page.subarray(0, length)));
    }
    return Buffer.concat(chunks);
  } finally {
    closeSync(file);
  }
}

function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ESRCH";
}
