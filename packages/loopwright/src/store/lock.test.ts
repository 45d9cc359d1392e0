import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Liveness, LoopwrightError, ProcessIdentity } from "@loopwright/protocol";
import { describe, expect, test } from "vitest";
import { systemDisk } from "./disk.ts";
import { type Lock, readLock, takeLock, type TakeOptions } from "./lock.ts";
import { createFaultyDisk } from "./testing/faulty-disk.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const AT = "2025-01-01T00:00:00.000Z";

function person(pid: number): ProcessIdentity {
  return { host: "here", pid_namespace: "1", boot_id: "b", pid, start_time: "1" };
}

/** Takes for `pid`, believing what it is told about everybody else. */
function take(base: string, pid: number, said: Liveness, more: Partial<TakeOptions> = {}) {
  const options = { liveness: () => said, at: AT, purpose: "goal", goalId: "g", ...more } as const;
  return takeLock(systemDisk, base, person(pid), options);
}

function taken(base: string, pid: number, said: Liveness): Lock {
  const result = take(base, pid, said);
  if (!result.ok) throw new Error("The lock is held");
  return result.lock;
}

const newBase = (): string => join(temporaryDirectory(), "locks", "coordinator");

test("the first taker gets epoch 1, and readers see who holds it", () => {
  const base = newBase();
  expect(readLock(base)).toBeUndefined();
  const lock = taken(base, 1, "unknown");
  expect(lock.epoch).toBe(1);
  expect(lock.lost()).toBe(false);
  expect(readLock(base)).toMatchObject({
    epoch: 1,
    released: false,
    file: { holder: person(1), purpose: "goal", goal_id: "g", taken_at: AT },
  });
  expect(readdirSync(dirname(base))).toEqual(["coordinator.1"]);
});

test.each(["alive", "unknown"] as const)("a holder that is %s keeps it", (liveness) => {
  const base = newBase();
  const lock = taken(base, 1, "dead");
  expect(take(base, 2, liveness)).toEqual({ ok: false, epoch: 1, holder: person(1), liveness });
  expect(lock.lost()).toBe(false);
});

test("a person may take it over from an unknown holder, not from a living one", () => {
  const base = newBase();
  const lock = taken(base, 1, "dead");
  expect(take(base, 2, "alive", { takeOver: true }).ok).toBe(false);
  expect(take(base, 2, "unknown", { takeOver: true }).ok).toBe(true);
  expect(lock.lost()).toBe(true);
});

test("a dead holder is replaced by the next epoch, and nothing of it is deleted", () => {
  const base = newBase();
  const old = taken(base, 1, "dead");
  expect(taken(base, 2, "dead").epoch).toBe(2);
  expect(old.lost()).toBe(true);
  expect(readdirSync(dirname(base)).sort()).toEqual(["coordinator.1", "coordinator.2"]);
});

test("a released lock is free for everybody, also where nothing is known of its holder", () => {
  const base = newBase();
  const lock = taken(base, 1, "dead");
  lock.release();
  expect(lock.lost()).toBe(true);
  expect(readLock(base)).toEqual({ epoch: 1, released: true });
  expect(take(base, 2, "alive")).toMatchObject({ ok: true, lock: { epoch: 2 } });
  lock.release();
  expect(readLock(base)).toMatchObject({ epoch: 2, released: false });
});

test("old epochs are removed, the last ones and the newest never", () => {
  const base = newBase();
  const first = taken(base, 1, "dead");
  for (let pid = 2; pid <= 30; pid += 1) taken(base, pid, "dead").release();
  expect(first.lost()).toBe(true);
  expect(readLock(base)).toEqual({ epoch: 30, released: true });
  expect(readdirSync(dirname(base)).filter((name) => !name.endsWith("released"))).toHaveLength(8);
});

test("other files beside it are not taken for epochs", () => {
  const base = newBase();
  taken(base, 1, "dead");
  for (const name of ["coordinator.07", "coordinator.9x", "coordinator.-3", "coordinator"]) {
    writeFileSync(join(dirname(base), name), "");
  }
  expect(taken(base, 2, "dead").epoch).toBe(2);
});

describe("a lock file that can't be read", () => {
  test.each([
    ["empty", ""],
    ["garbage", "\0\0\0"],
    ["of another shape", '{"schema_version":1,"epoch":1}'],
    ["of a newer version", '{"schema_version":2}'],
  ])("(%s) is never taken for no lock", (_, content) => {
    const base = newBase();
    taken(base, 1, "dead");
    writeFileSync(`${base}.1`, content);
    for (const attempt of [() => take(base, 2, "dead"), () => readLock(base)]) {
      expect(attempt).toThrowError(
        expect.objectContaining({
          code: content.includes("2") ? "SCHEMA_NEWER" : "FILE_INVALID",
          hint: expect.stringContaining("coordinator.1.released") as string,
        }),
      );
    }
  });

  test("is passed over once a person marked it as released", () => {
    const base = newBase();
    taken(base, 1, "dead");
    writeFileSync(`${base}.1`, "garbage");
    writeFileSync(`${base}.1.released`, "");
    expect(taken(base, 2, "alive").epoch).toBe(2);
  });
});

test("a failure at any operation leaves either no lock, or a complete one that can be taken on", () => {
  const options: TakeOptions = { liveness: () => "dead", at: AT, purpose: "goal", goalId: "g" };
  const clean = createFaultyDisk(systemDisk, []);
  takeLock(clean, newBase(), person(1), options);
  for (let n = 1; n <= clean.operations.length; n += 1) {
    for (const after of [false, true]) {
      const base = newBase();
      const what = { kind: "fail", code: "ENOSPC", after } as const;
      const disk = createFaultyDisk(systemDisk, [{ from: n, what }]);
      const error = thrownBy(() => takeLock(disk, base, person(1), options));
      expect([undefined, "DISK_FULL"]).toContain((error as LoopwrightError | undefined)?.code);
      const next = taken(base, 2, "dead");
      expect(next.lost()).toBe(false);
      expect(JSON.parse(readFileSync(`${base}.${next.epoch}`, "utf8"))).toMatchObject({
        holder: person(2),
      });
    }
  }
});

/** Undefined when nothing was: leftovers that can't be removed don't keep anybody from the lock. */
function thrownBy(action: () => unknown): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}
