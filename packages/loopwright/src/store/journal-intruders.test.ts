import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { systemDisk } from "./disk.ts";
import { readJournal } from "./journal-reader.ts";
import { openJournal } from "./journal.ts";
import { AT, bytesOf, lineAfter, linesOf, writtenJournal } from "./testing/written-journal.ts";
import { thrownBy } from "./testing/thrown-by.ts";

const RECORDS = [{ type: "noted", data: { text: "x".repeat(40) } }];
const held = { epoch: 1, fenced: () => false };

describe("a replaced holder that wakes up and appends", () => {
  test("between our lines is passed over, and ours continue our own", () => {
    const old = linesOf(1, 2);
    const path = writtenJournal(old);
    const { journal } = openJournal(systemDisk, path, { epoch: 2, fenced: () => false });
    const first = lineAfter(old[1], 1);
    appendFileSync(path, first.bytes);
    journal.append(AT, RECORDS);
    appendFileSync(path, lineAfter(first, 1).bytes);
    journal.append(AT, RECORDS);
    expect(journal.intruders).toHaveLength(2);
    journal.close();
    const loaded = readJournal(path);
    expect(loaded.lines.map(({ epoch }) => epoch)).toEqual([1, 1, 2, 2]);
    expect(loaded.ignored.map(({ lineNumber }) => lineNumber)).toEqual([3, 5]);
  });

  test("with half a line, that half is cut before we append", () => {
    const old = linesOf(1, 2);
    const path = writtenJournal(old);
    const { journal } = openJournal(systemDisk, path, { epoch: 2, fenced: () => false });
    const late = linesOf(1, 2, old[1]);
    appendFileSync(path, bytesOf(late).subarray(0, -20));
    journal.append(AT, RECORDS);
    journal.close();
    expect(readJournal(path)).toMatchObject({
      lines: [{ epoch: 1 }, { epoch: 1 }, { epoch: 2, seq: 3 }],
      ignored: [{ lineNumber: 3 }],
    });
  });

  test("just before a write of ours fails, only our bytes are cut", () => {
    const old = linesOf(1, 2);
    const path = writtenJournal(old);
    const late = lineAfter(old[1], 1);
    for (const bytes of [1, 50]) {
      writeFileSync(path, bytesOf(old));
      let armed = true;
      const disk = {
        ...systemDisk,
        append: (fd: number, data: Uint8Array) => {
          if (!armed) return systemDisk.append(fd, data);
          armed = false;
          appendFileSync(path, late.bytes);
          return systemDisk.append(fd, data.subarray(0, bytes));
        },
      };
      const { journal } = openJournal(disk, path, { epoch: 2, fenced: () => false });
      expect(thrownBy(() => journal.append(AT, RECORDS))).toMatchObject({ code: "DISK_FULL" });
      expect(readFileSync(path)).toEqual(bytesOf([...old, late]));
      expect(journal.append(AT, RECORDS).seq).toBe(3);
      journal.close();
      expect(readJournal(path).ignored).toHaveLength(1);
    }
  });

  test("in the very moment of our write, before or after it, the journal stays whole", () => {
    for (const order of ["before", "after"]) {
      const old = linesOf(1, 2);
      const path = writtenJournal(old);
      const late = lineAfter(old[1], 1);
      const disk = {
        ...systemDisk,
        append: (fd: number, data: Uint8Array) => {
          if (order === "before") appendFileSync(path, late.bytes);
          const written = systemDisk.append(fd, data);
          if (order === "after") appendFileSync(path, late.bytes);
          return written;
        },
      };
      const { journal } = openJournal(disk, path, { epoch: 2, fenced: () => false });
      journal.append(AT, RECORDS);
      journal.append(AT, RECORDS);
      journal.close();
      const loaded = readJournal(path);
      expect(loaded.lines.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
      expect(loaded.ignored).toHaveLength(2);
    }
  });

  test("finds a newer epoch's line and stops, for by then the lock is another's", () => {
    const old = linesOf(1, 2);
    const path = writtenJournal(old);
    let looks = 0;
    const { journal } = openJournal(systemDisk, path, { epoch: 1, fenced: () => ++looks > 2 });
    appendFileSync(path, lineAfter(old[1], 2).bytes);
    expect(thrownBy(() => journal.append(AT, RECORDS))).toMatchObject({ code: "LOCK_LOST" });
    journal.close();
    expect(readJournal(path).lines).toHaveLength(3);
  });
});

describe("somebody who writes there while the lock is ours", () => {
  test.each([
    ["a line of our epoch", (old: ReturnType<typeof linesOf>) => lineAfter(old[1], 1).bytes],
    ["a line of a newer epoch", (old: ReturnType<typeof linesOf>) => lineAfter(old[1], 7).bytes],
    ["something that is no line", () => Buffer.from("garbage\nmore")],
  ])("is undone, told, and kept beside the journal: %s", (_, forge) => {
    const old = linesOf(1, 2);
    const path = writtenJournal(old);
    const { journal } = openJournal(systemDisk, path, held);
    const forged = forge(old);
    appendFileSync(path, forged);
    expect(journal.append(AT, RECORDS).seq).toBe(3);
    expect(journal.takeEvicted()).toEqual([{ offset: bytesOf(old).length, bytes: forged.length }]);
    expect(journal.takeEvicted()).toEqual([]);
    journal.close();
    expect(readFileSync(`${path}.found-1`)).toEqual(Buffer.from(forged));
    expect(readJournal(path).lines.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });
});
