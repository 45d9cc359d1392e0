import { appendFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readJournal } from "./journal-reader.ts";
import { tailJournal } from "./journal-tail.ts";
import { bytesOf, lineAfter, linesOf, writtenJournal } from "./testing/written-journal.ts";

test("a follower gets each line once, and half a line only when it is whole", () => {
  const lines = linesOf(1, 3);
  const path = writtenJournal(lines.slice(0, 1));
  const tail = tailJournal(path);
  expect(tail.poll().lines.map(({ seq }) => seq)).toEqual([1]);
  expect(tail.poll().lines).toEqual([]);
  const rest = bytesOf(lines.slice(1));
  for (let k = 0; k < rest.length; k += 1) {
    appendFileSync(path, rest.subarray(k, k + 1));
    const news = tail.poll();
    expect(news.restarted).toBe(false);
    expect(news.lines).toHaveLength(rest[k] === 0x0a ? 1 : 0);
  }
});

test("a follower may start at the end of what was read", () => {
  const lines = linesOf(1, 3);
  const path = writtenJournal(lines.slice(0, 2));
  const tail = tailJournal(path, readJournal(path).end);
  expect(tail.poll().lines).toEqual([]);
  appendFileSync(path, lines[2]?.bytes ?? "");
  expect(tail.poll().lines).toEqual([lines[2]?.line]);
});

test("a follower starts over when lines that it handed over are withdrawn", () => {
  const old = linesOf(1, 2);
  const late = lineAfter(old[1], 1);
  const path = writtenJournal([...old, late]);
  const tail = tailJournal(path);
  expect(tail.poll().lines).toHaveLength(3);
  const fresh = linesOf(2, 2, old[1]);
  appendFileSync(path, fresh[0]?.bytes ?? "");
  const news = tail.poll();
  expect(news.restarted).toBe(true);
  expect(news.lines.map(({ epoch }) => epoch)).toEqual([1, 1, 2]);
  appendFileSync(path, fresh[1]?.bytes ?? "");
  expect(tail.poll()).toMatchObject({ lines: [fresh[1]?.line], restarted: false });
});

test("a follower tells damage, with the line's number in the file", () => {
  const lines = linesOf(1, 2);
  const path = writtenJournal(lines);
  const tail = tailJournal(path);
  tail.poll();
  appendFileSync(path, "garbage\n");
  expect(() => tail.poll()).toThrowError(`${path}:3`);
  writeFileSync(path, bytesOf(lines.slice(0, 1)));
  expect(tail.poll()).toEqual({ lines: [lines[0]?.line], offsets: [0], restarted: true });
});
