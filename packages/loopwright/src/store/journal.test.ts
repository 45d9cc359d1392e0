import {
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { systemDisk } from "./disk.ts";
import { readJournal } from "./journal-reader.ts";
import { isFatal, type Journal, openJournal } from "./journal.ts";
import { createFaultyDisk, type Fault } from "./testing/faulty-disk.ts";
import { quickDisk } from "./testing/quick-disk.ts";
import { thrownBy } from "./testing/thrown-by.ts";
import { AT, bytesOf, linesOf, writtenJournal } from "./testing/written-journal.ts";

const RECORDS = [{ type: "noted", data: { text: "x".repeat(40) } }];
const held = { epoch: 1, fenced: () => false };

function faulty(path: string, plan: readonly Fault[]): Journal {
  return openJournal(createFaultyDisk(systemDisk, plan), path, held).journal;
}

describe("appending", () => {
  test("continues the numbers and returns what a reload reads", () => {
    const path = writtenJournal(linesOf(1, 2));
    const { journal, loaded } = openJournal(systemDisk, path, { epoch: 4, fenced: () => false });
    expect(loaded.lines).toHaveLength(2);
    const data = { kept: 1, dropped: undefined };
    const appended = [journal.append(AT, [{ type: "a", data }]), journal.append(AT, RECORDS)];
    journal.close();
    expect(appended.map(({ seq, epoch }) => [seq, epoch])).toEqual([
      [3, 4],
      [4, 4],
    ]);
    expect(readJournal(path).lines.slice(2)).toEqual(appended);
    expect(appended[0]?.records[0]?.data).toStrictEqual({ kept: 1 });
  });

  test("is refused when the lock was lost, and leaves the file alone", () => {
    const path = writtenJournal(linesOf(1, 1));
    let lost = false;
    const { journal } = openJournal(systemDisk, path, { epoch: 1, fenced: () => lost });
    journal.append(AT, RECORDS);
    const before = readFileSync(path);
    lost = true;
    expect(thrownBy(() => journal.append(AT, RECORDS))).toMatchObject({ code: "LOCK_LOST" });
    expect(readFileSync(path)).toEqual(before);
    journal.close();
  });

  test("is refused from the start when a newer epoch wrote here", () => {
    const path = writtenJournal(linesOf(7, 1));
    expect(() => openJournal(systemDisk, path, held)).toThrowError("lock 7, newer than ours (1)");
  });

  test("stops when the file was removed, replaced or cut by somebody else", () => {
    for (const harm of [
      unlinkSync,
      (path: string) => {
        writeFileSync(`${path}.other`, readFileSync(path));
        renameSync(`${path}.other`, path);
      },
      (path: string) => truncateSync(path, 5),
    ]) {
      const path = writtenJournal(linesOf(1, 1));
      const { journal } = openJournal(systemDisk, path, held);
      harm(path);
      expect(isFatal(thrownBy(() => journal.append(AT, RECORDS)))).toBe(true);
      journal.close();
    }
  });
});

describe("a journal cut at any byte of its last line", () => {
  const lines = linesOf(1, 3);
  const whole = bytesOf(lines);
  const start = bytesOf(lines.slice(0, 2)).length;
  const cuts = Array.from({ length: whole.length - start }, (_, k) => start + k);

  test("loads without that line, and says what it left out", () => {
    const path = writtenJournal(lines);
    for (const cut of cuts) {
      writeFileSync(path, whole.subarray(0, cut));
      const loaded = readJournal(path);
      expect(loaded.lines).toEqual(lines.slice(0, 2).map(({ line }) => line));
      expect(loaded.tornTail).toEqual(
        cut === start ? undefined : { offset: start, bytes: cut - start },
      );
    }
  });

  test("goes on with the next number after the holder has cut it off", () => {
    const path = writtenJournal(lines);
    for (const cut of cuts) {
      writeFileSync(path, whole.subarray(0, cut));
      const { journal } = openJournal(quickDisk, path, { epoch: 2, fenced: () => false });
      expect(journal.append(AT, RECORDS).seq).toBe(3);
      journal.close();
      expect(readJournal(path).lines.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    }
  });

  test("is not cut by anybody without the lock", () => {
    const path = writtenJournal(lines);
    writeFileSync(path, whole.subarray(0, -3));
    expect(() => openJournal(systemDisk, path, { epoch: 2, fenced: () => true })).toThrowError(
      "took over",
    );
    expect(statSync(path).size).toBe(whole.length - 3);
  });
});

describe("after a failed write", () => {
  // Operations of opening: 1 openAppend, 2 syncData. The first append is 3, its sync 4.
  test.each<[string, Fault["what"], string]>([
    ["nothing was written", { kind: "fail", code: "EIO" }, "DISK_FAILED"],
    ["the disk was full", { kind: "fail", code: "ENOSPC" }, "DISK_FULL"],
    [
      "all was written, and an error reported",
      { kind: "fail", code: "EIO", after: true },
      "DISK_FAILED",
    ],
    ["one byte was written", { kind: "short_write", bytes: 1 }, "DISK_FULL"],
    ["half of it was written", { kind: "short_write", bytes: 70 }, "DISK_FULL"],
  ])("%s: nothing of it is in force and the next append works", (_, what, code) => {
    const path = writtenJournal(linesOf(1, 2));
    const before = readFileSync(path);
    const journal = faulty(path, [{ from: 3, what }]);
    const error = thrownBy(() => journal.append(AT, RECORDS));
    expect(error).toMatchObject({ code });
    expect(isFatal(error)).toBe(false);
    expect(readFileSync(path)).toEqual(before);
    expect(journal.append(AT, RECORDS).seq).toBe(3);
    journal.close();
    expect(readJournal(path).lines).toHaveLength(3);
  });

  test("whose torn half could not be cut, the next append cuts it first", () => {
    const path = writtenJournal(linesOf(1, 2));
    const journal = faulty(path, [
      { from: 3, what: { kind: "short_write", bytes: 9 } },
      { from: 4, to: 5, only: "truncate", what: { kind: "fail", code: "EIO" } },
    ]);
    expect(isFatal(thrownBy(() => journal.append(AT, RECORDS)))).toBe(false);
    expect(isFatal(thrownBy(() => journal.append(AT, RECORDS)))).toBe(false);
    expect(readJournal(path).tornTail?.bytes).toBe(9);
    expect(journal.append(AT, RECORDS).seq).toBe(3);
    journal.close();
    expect(readJournal(path)).toMatchObject({ end: { lineNumber: 3 } });
  });

  test("that left a whole line which could not be cut, the process has to exit", () => {
    const path = writtenJournal(linesOf(1, 2));
    const journal = faulty(path, [
      { from: 3, what: { kind: "fail", code: "EIO", after: true } },
      { from: 4, what: { kind: "fail", code: "EIO" } },
    ]);
    expect(isFatal(thrownBy(() => journal.append(AT, RECORDS)))).toBe(true);
    expect(isFatal(thrownBy(() => journal.append(AT, RECORDS)))).toBe(true);
    journal.close();
  });

  test("by somebody who has lost the lock, nothing is cut", () => {
    const path = writtenJournal(linesOf(1, 2));
    let asked = 0;
    const disk = createFaultyDisk(systemDisk, [
      { from: 3, what: { kind: "short_write", bytes: 9 } },
    ]);
    const { journal } = openJournal(disk, path, { epoch: 1, fenced: () => (asked += 1) > 2 });
    const size = statSync(path).size;
    expect(thrownBy(() => journal.append(AT, RECORDS))).toMatchObject({ code: "LOCK_LOST" });
    expect(statSync(path).size).toBe(size + 9);
    journal.close();
  });
});

test("after a failed sync the process has to exit, and a restart finds the line whole or not at all", () => {
  const path = writtenJournal(linesOf(1, 2));
  const journal = faulty(path, [{ from: 4, what: { kind: "fail", code: "EIO" } }]);
  const error = thrownBy(() => journal.append(AT, RECORDS));
  expect(error).toMatchObject({ code: "DISK_FAILED" });
  expect(isFatal(error)).toBe(true);
  expect(isFatal(thrownBy(() => journal.append(AT, RECORDS)))).toBe(true);
  journal.close();
  const { journal: again, loaded } = openJournal(systemDisk, path, { ...held, epoch: 2 });
  expect(loaded.lines).toHaveLength(3);
  expect(again.append(AT, RECORDS).seq).toBe(4);
  again.close();
});
