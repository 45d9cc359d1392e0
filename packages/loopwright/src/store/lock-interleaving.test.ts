import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Liveness, ProcessIdentity } from "@loopwright/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readLock, takeLock, type TakeResult, takingSteps } from "./lock.ts";
import { quickDisk } from "./testing/quick-disk.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const DEAD = 99;

function person(pid: number): ProcessIdentity {
  return { host: "here", pid_namespace: "1", boot_id: "b", pid, start_time: "1" };
}

const options = {
  liveness: ({ pid }: ProcessIdentity): Liveness => (pid === DEAD ? "dead" : "alive"),
  at: "2025-01-01T00:00:00.000Z",
  purpose: "goal",
  goalId: "g",
} as const;

/** A directory in which a dead process holds the lock at that epoch. */
function abandonedLock(directory: string, epochs = 1): string {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  const base = join(directory, "coordinator");
  for (let k = 0; k < epochs; k += 1) takeLock(quickDisk, base, person(DEAD), options);
  return base;
}

/** Lets the takers go on in the order given, one step each; then one after the other to their ends. */
function run(base: string, takers: number, order: readonly number[]): TakeResult[] {
  const steps = Array.from({ length: takers }, (_, k) =>
    takingSteps(quickDisk, base, person(k + 1), options),
  );
  const results: TakeResult[] = [];
  for (const k of order) if (results[k] === undefined) advance(k);
  for (const k of steps.keys()) while (results[k] === undefined) advance(k);
  return results;

  function advance(k: number): void {
    const step = steps[k]?.next();
    if (step?.done === true) results[k] = step.value;
  }
}

/** Who won, when exactly one did, still holds it, and all others were told so; else what is wrong. */
function soleWinner(base: string, results: readonly TakeResult[]): number | string {
  const winners = results.flatMap((result, k) => (result.ok ? [k] : []));
  const [winner] = winners;
  const won = results[winner ?? -1];
  if (winner === undefined || winners.length > 1) return `${winners.length} winners`;
  if (won?.ok !== true || won.lock.lost()) return "the winner lost it";
  if (readLock(base)?.epoch !== won.lock.epoch) return "readers see another epoch";
  const misled = results.filter((result) => !result.ok && result.epoch !== won.lock.epoch);
  return misled.length > 0 ? "a loser was told of another holder" : winner;
}

/** Every order of `a` steps of taker 0 and `b` steps of taker 1. */
function* interleavings(a: number, b: number): Generator<number[]> {
  if (a === 0 && b === 0) yield [];
  if (a > 0) for (const rest of interleavings(a - 1, b)) yield [0, ...rest];
  if (b > 0) for (const rest of interleavings(a, b - 1)) yield [1, ...rest];
}

test("of two that take a dead one's lock, in every order of their steps, exactly one wins", () => {
  const directory = join(temporaryDirectory(), "locks");
  const alone = takingSteps(quickDisk, abandonedLock(directory), person(1), options);
  let length = 1;
  while (alone.next().done !== true) length += 1;
  let count = 0;
  for (const rest of interleavings(length - 1, length)) {
    // The takers are alike: who goes first is called 0.
    const order = [0, ...rest];
    const base = abandonedLock(directory);
    expect(soleWinner(base, run(base, 2, order))).toBeTypeOf("number");
    count += 1;
  }
  expect(count).toBeGreaterThan(1_500);
}, 60_000);

test("of four takers in any order, exactly one wins", () => {
  const directory = join(temporaryDirectory(), "locks");
  fc.assert(
    fc.property(fc.array(fc.nat(3), { maxLength: 40 }), (order) => {
      const base = abandonedLock(directory);
      expect(soleWinner(base, run(base, 4, order))).toBeTypeOf("number");
    }),
    { numRuns: 500 },
  );
});

test("a taker that slept at any step while twenty others came and went does not get it", () => {
  const directory = join(temporaryDirectory(), "locks");
  for (let asleep = 1; asleep <= 6; asleep += 1) {
    const base = abandonedLock(directory);
    const sleeper = takingSteps(quickDisk, base, person(1), options);
    let result: TakeResult | undefined;
    for (let k = 0; k < asleep && result === undefined; k += 1) {
      const step = sleeper.next();
      if (step.done === true) result = step.value;
    }
    // Up to its link the others win; from then on it is the holder, and they are refused.
    for (let k = 0; k < 20; k += 1) takeLock(quickDisk, base, person(DEAD), options);
    const other = takeLock(quickDisk, base, person(2), options);
    while (result === undefined) {
      const step = sleeper.next();
      if (step.done === true) result = step.value;
    }
    // It slept before its link in the first four of the steps.
    expect(soleWinner(base, [result, other])).toBe(asleep <= 4 ? 1 : 0);
  }
});

test("a holder that slept while many came and went knows that it lost", () => {
  const base = abandonedLock(join(temporaryDirectory(), "locks"));
  const held = takeLock(quickDisk, base, person(DEAD), options);
  for (let k = 0; k < 20; k += 1) takeLock(quickDisk, base, person(DEAD), options);
  expect(held.ok && held.lock.lost()).toBe(true);
});
