import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
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
