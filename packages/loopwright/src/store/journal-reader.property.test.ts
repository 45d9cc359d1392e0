import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readJournal } from "./journal-reader.ts";
import { bytesOf, lineAfter, linesOf, writtenJournal } from "./testing/written-journal.ts";

test("a changed byte anywhere is detected, in the last line and in its newline too", () => {
  const lines = linesOf(1, 2);
  const tricky = lineAfter(lines[1], 2, [
    { type: "noted", data: ["\u0001\ud800é", 1e21, "\ufffd"] },
  ]);
  const whole = bytesOf([...lines, tricky]);
  const path = writtenJournal(lines);
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ change;
      writeFileSync(path, damaged);
      expect(() => readJournal(path)).toThrowError(
        expect.objectContaining({ code: "JOURNAL_DAMAGED" }),
      );
    }),
    { numRuns: 1_000 },
  );
});

test("every single changed bit of the last line is detected", () => {
  const lines = linesOf(1, 2);
  const whole = bytesOf(lines);
  const path = writtenJournal(lines);
  const start = whole.length - (lines[1]?.bytes.length ?? 0);
  for (let at = start; at < whole.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
      writeFileSync(path, damaged);
      expect(() => readJournal(path)).toThrowError(`${path}:2`);
    }
  }
});

test("what is read back equals what was written, whatever the records hold", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ type: fc.string(), data: fc.jsonValue() }), { maxLength: 4 }),
      (records) => {
        const line = lineAfter(undefined, 1, records);
        const loaded = readJournal(writtenJournal([line]));
        expect(loaded.lines[0]?.records).toEqual(JSON.parse(JSON.stringify(records)));
      },
    ),
    { numRuns: 200 },
  );
});
