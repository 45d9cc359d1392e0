import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { systemDisk } from "./disk.ts";
import { appendRow, readRows } from "./line-file.ts";
import { createFaultyDisk } from "./testing/faulty-disk.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const newPath = (): string => join(temporaryDirectory(), "runs.jsonl");

test("rows come back in order, and a missing index has none", () => {
  const path = newPath();
  expect(readRows(path)).toEqual({ rows: [], bad: [] });
  appendRow(systemDisk, path, { run_id: "a" });
  appendRow(systemDisk, path, { run_id: "b" }, { durable: false });
  expect(readRows(path)).toEqual({ rows: [{ run_id: "a" }, { run_id: "b" }], bad: [] });
});

test("after a writer that was cut off, the next row begins on a line of its own", () => {
  const path = newPath();
  appendRow(systemDisk, path, { run_id: "a" });
  appendFileSync(path, '{"run_id"');
  expect(readRows(path).bad).toEqual([{ lineNumber: 2, reason: "is not finished" }]);
  appendRow(systemDisk, path, { run_id: "b" });
  expect(readFileSync(path, "utf8")).toBe('{"run_id":"a"}\n{"run_id"\n{"run_id":"b"}\n');
  expect(readRows(path)).toEqual({
    rows: [{ run_id: "a" }, { run_id: "b" }],
    bad: [{ lineNumber: 2, reason: "is not JSON" }],
  });
});

test("a failed append is told", () => {
  const path = newPath();
  appendRow(systemDisk, path, {});
  const what = { kind: "short_write", bytes: 1 } as const;
  const disk = createFaultyDisk(systemDisk, [{ from: 2, what }]);
  expect(() => appendRow(disk, path, { run_id: "b" })).toThrowError(
    expect.objectContaining({ code: "DISK_FULL" }),
  );
  appendRow(disk, path, { run_id: "c" });
  expect(readRows(path).rows).toEqual([{}, { run_id: "c" }]);
});

test.each<[string, (path: string) => void]>([
  ["a directory", (path) => mkdirSync(path)],
  ["a FIFO", (path) => execFileSync("mkfifo", [path])],
  ["a link to elsewhere", (path) => symlinkSync(newPath(), path)],
])("%s in its place is moved aside before a row is appended", (_, plant) => {
  const path = newPath();
  plant(path);
  appendRow(systemDisk, path, { run_id: "a" });
  expect(readRows(path)).toEqual({ rows: [{ run_id: "a" }], bad: [] });
  expect(readdirSync(dirname(path)).toSorted()).toEqual(["runs.jsonl", "runs.jsonl.found-1"]);
});

test("what can't be an index is refused, not read as an empty one", () => {
  const refused = (plant: (path: string) => void): void => {
    const path = newPath();
    plant(path);
    expect(() => readRows(path)).toThrowError(expect.objectContaining({ code: "FILE_UNSAFE" }));
  };
  refused((path) => mkdirSync(path));
  refused((path) => execFileSync("mkfifo", [path]));
  refused((path) => writeFileSync(path, "x\n".repeat(1_000_000)));
  refused((path) => {
    writeFileSync(path, "");
    truncateSync(path, 100 * 1024 * 1024);
  });
});
