import { appendFileSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { readJournal } from "./journal-reader.ts";
import { bytesOf, lineAfter, linesOf, writtenJournal } from "./testing/written-journal.ts";

describe("a whole journal", () => {
  test("is read as it was written", () => {
    const lines = linesOf(1, 3);
    const loaded = readJournal(writtenJournal(lines));
    expect(loaded.lines).toEqual(lines.map(({ line }) => line));
    expect(loaded.ignored).toEqual([]);
    expect(loaded.tornTail).toBeUndefined();
    expect(loaded.end).toMatchObject({ offset: bytesOf(lines).length, lineNumber: 3 });
  });

  test("may have lines longer than what is read at once", () => {
    const first = lineAfter(undefined, 1);
    const long = lineAfter(first, 1, [{ type: "noted", data: "ü".repeat(1_600_000) }]);
    const last = lineAfter(long, 1);
    expect(readJournal(writtenJournal([first, long, last])).lines.at(-1)).toEqual(last.line);
  });

  test("of 100,000 lines is read in well under a second", () => {
    const path = writtenJournal(linesOf(1, 100_000));
    const before = process.cpuUsage();
    expect(readJournal(path).lines).toHaveLength(100_000);
    // About 0.4 s on a quiet machine. Counted in CPU time and with room: other work may run beside this.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(2_500);
  });
});

describe("a line of a replaced holder", () => {
  test("after the new epoch's first line is ignored and reported", () => {
    const old = linesOf(1, 2);
    const fresh = linesOf(2, 2, old[1]);
    const late = lineAfter(old[1], 1);
    const loaded = readJournal(writtenJournal([...old, fresh[0]!, late, fresh[1]!]));
    expect(loaded.lines.map(({ seq, epoch }) => [seq, epoch])).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 2],
    ]);
    expect(loaded.ignored).toEqual([{ lineNumber: 4, line: late.line }]);
  });

  test("before the new epoch's first line, but after its fold, is withdrawn and reported", () => {
    const old = linesOf(1, 2);
    const late = linesOf(1, 2, old[1]);
    const fresh = linesOf(2, 1, old[1]);
    const later = lineAfter(late[1], 1);
    const loaded = readJournal(writtenJournal([...old, ...late, ...fresh, later]));
    expect(loaded.lines.map(({ sum }) => sum)).toEqual(
      [...old, ...fresh].map(({ line }) => line.sum),
    );
    expect(loaded.ignored.map(({ lineNumber }) => lineNumber)).toEqual([3, 4, 6]);
  });

  test("is withdrawn also over several epochs, and gaps between epochs are normal", () => {
    const old = linesOf(1, 2);
    const second = linesOf(2, 1, old[1]);
    const late = lineAfter(old[1], 1);
    const third = linesOf(5, 1, old[1]);
    const loaded = readJournal(writtenJournal([...old, ...second, late, ...third]));
    expect(loaded.lines.map(({ epoch }) => epoch)).toEqual([1, 1, 5]);
    expect(loaded.ignored.map(({ line }) => line.sum)).toEqual([
      second[0]!.line.sum,
      late.line.sum,
    ]);
  });

  test("is in force when the new holder folded it", () => {
    const old = linesOf(1, 3);
    const fresh = linesOf(2, 1, old[2]);
    expect(readJournal(writtenJournal([...old, ...fresh])).lines).toHaveLength(4);
  });
});

describe("damage is told with file and line, never skipped", () => {
  const lines = linesOf(1, 3);

  test.each([
    ["a missing line", [lines[0]!, lines[2]!], 2],
    ["a repeated line", [lines[0]!, lines[1]!, lines[1]!], 3],
    ["lines in another order", [lines[1]!, lines[0]!], 1],
    ["a new epoch that continues nothing", [lines[0]!, ...linesOf(2, 1, lines[2])], 2],
    ["a new epoch that begins anew", [lines[0]!, ...linesOf(2, 1)], 2],
  ])("%s", (_, written, number) => {
    const path = writtenJournal(written);
    expect(() => readJournal(path)).toThrowError(
      expect.objectContaining({ code: "JOURNAL_DAMAGED", where: `${path}:${number}` }),
    );
  });

  test("an empty line", () => {
    const path = writtenJournal(lines);
    appendFileSync(path, "\n");
    expect(() => readJournal(path)).toThrowError(`${path}:4: the line is too short`);
  });

  test("an empty file, one without a whole line, and a missing one", () => {
    const path = writtenJournal([]);
    expect(() => readJournal(path)).toThrowError(`${path}:1`);
    writeFileSync(path, lines[0]!.bytes.subarray(0, -1));
    expect(() => readJournal(path)).toThrowError(`${path}:1`);
    unlinkSync(path);
    expect(() => readJournal(path)).toThrowError(`${path} is missing`);
  });

  test("something that is not a regular file", () => {
    const path = writtenJournal(lines);
    const link = join(dirname(path), "link");
    symlinkSync(path, link);
    mkdirSync(join(dirname(path), "directory"));
    for (const name of ["link", "directory"]) {
      expect(() => readJournal(join(dirname(path), name))).toThrowError(
        expect.objectContaining({ code: "FILE_UNSAFE" }),
      );
    }
  });
});
