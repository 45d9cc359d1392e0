import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../seams/clock.ts";
import { systemDisk } from "../store/disk.ts";
import { createDiskSpace, type DiskSpace } from "./disk-space.ts";

describe("after a full disk", () => {
  let directory: string;
  let now: number;
  let successes: number;
  let space: DiskSpace;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "loopwright-space-"));
    now = 0;
    successes = 0;
    space = createDiskSpace({
      seams: { clock: { ...systemClock, monotonic: () => now }, disk: systemDisk },
      reserve: join(directory, "reserve"),
      checkout: directory,
      successes: () => successes,
      onFull: () => {},
    });
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Milliseconds from the trouble to the resuming. */
  const wait = (begin: () => void): number => {
    begin();
    const begun = now;
    while (!space.isBack(true)) now += 250;
    return now - begun;
  };
  const coordinator = (): void => space.ranOut();
  const worker = (): void => void space.isBack(true);

  it.each([
    ["the coordinator's", coordinator],
    ["a worker's", worker],
  ])("a session goes on ever later while it is %s again without a success", (_, begin) => {
    expect([1, 2, 3, 4].map(() => wait(begin))).toEqual([1_000, 2_000, 4_000, 8_000]);
    for (let times = 0; times < 10; times += 1) wait(begin);
    expect(wait(begin)).toBe(600_000);
  });

  it("goes on soon when an iteration has succeeded since the last trouble", () => {
    wait(worker);
    wait(worker);
    successes += 1;
    expect(wait(worker)).toBe(1_000);
    expect(wait(coordinator)).toBe(2_000);
  });
});
