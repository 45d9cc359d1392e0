import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProtectedRoom, type ProtectedRoom } from "./testing/protected-room.ts";

let room: ProtectedRoom;
beforeEach(() => {
  room = createProtectedRoom();
});
afterEach(() => room.gate.close());

describe("restoreProtected", () => {
  it("mends what a stop in the middle left, whatever an agent did before", () => {
    const paths = [
      "tests/a.test.js",
      "tests/deep/b.test.js",
      "run.sh",
      "tests",
      "tests/deep",
      "tests/new",
    ];
    const act = fc.record({
      path: fc.constantFrom(...paths),
      how: fc.constantFrom("edit", "delete", "link", "directory", "fifo", "chmod"),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 6 }), fc.nat(4), (acts, stopAfter) => {
        for (const { path, how } of acts) tamper(room.at(path), how, room.gate.scratch.room);
        stoppedAfter(stopAfter, () => room.restore());
        room.restore();
        room.expectRestored();
      }),
      { numRuns: 40 },
    );
  });
});

/** Lets so many pins be read, then fails as a crash would. */
function stoppedAfter(reads: number, run: () => void): void {
  const { store } = room.gate;
  const get = store.get;
  let left = reads;
  const failing: Pick<typeof store, "get"> = {
    get: (sha256) => {
      left -= 1;
      if (left < 0) throw new Error("stopped");
      return get(sha256);
    },
  };
  Object.assign(store, failing);
  try {
    run();
  } catch (error) {
    expect(error).toMatchObject({ message: "stopped" });
  } finally {
    Object.assign(store, { get });
  }
}

function tamper(place: string, how: string, outside: string): void {
  try {
    if (how === "chmod") return chmodSync(place, 0o000);
    rmSync(place, { recursive: true, force: true });
    if (how === "edit") writeFileSync(place, "edited\n");
    if (how === "link") symlinkSync(outside, place);
    if (how === "directory") mkdirSync(place);
    if (how === "fifo") execFileSync("mkfifo", [place], { stdio: "ignore" });
  } catch {
    // An earlier act has taken the parent away.
  }
}
