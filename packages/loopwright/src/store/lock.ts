import { randomBytes } from "node:crypto";
import type { Liveness, ProcessIdentity } from "@loopwright/protocol";
import { diskError, errorCode } from "./disk-error.ts";
import { makeDirectoryDurable } from "./durable-write.ts";
import type { Disk } from "./disk.ts";
import { exists, type LockFile, lockNames, type LockNames, readLockFile } from "./lock-files.ts";

/** The right to write, for one holder at a time. */
export interface Lock {
  /** The fencing number: higher than that of every holder before. */
  readonly epoch: number;
  /** Whether somebody took over, or the lock was given up. Ask before each write and again before each answer. */
  lost(): boolean;
  /** Gives it up durably, so that also hosts which can't see our processes may take it. */
  release(): void;
}

export type TakeResult =
  | { readonly ok: true; readonly lock: Lock }
  | {
      readonly ok: false;
      readonly epoch: number;
      readonly holder: ProcessIdentity;
      readonly liveness: "alive" | "unknown";
    };

export interface TakeOptions {
  readonly liveness: (holder: ProcessIdentity) => Liveness;
  /** Timestamp, for people. */
  readonly at: string;
  readonly purpose: LockFile["purpose"];
  readonly goalId: string;
  /** Also take it from a holder of whom nothing can be said from here. A person's decision. Default false. */
  readonly takeOver?: boolean;
}

/**
 * Takes the lock `<base>.<epoch>` with the epoch after the highest one, if the highest was released or its holder is
 * dead. Throws FILE_INVALID when the highest can't be read.
 *
 * Why exactly one wins: an epoch is linked from a complete file, so of two takers of one number one fails; and whoever
 * linked must still find its own the highest. The highest is never removed, so a taker that slept while others came
 * and went may link a number that was removed since, but then sees a higher one.
 */
export function takeLock(
  disk: Disk,
  base: string,
  holder: ProcessIdentity,
  options: TakeOptions,
): TakeResult {
  const steps = takingSteps(disk, base, holder, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** `takeLock` in steps: between two yields at most one thing happens that matters to another taker. */
export function* takingSteps(
  disk: Disk,
  base: string,
  holder: ProcessIdentity,
  options: TakeOptions,
): Generator<string, TakeResult> {
  const names = lockNames(base);
  makeDirectoryDurable(disk, names.directory);
  for (;;) {
    yield "list";
    const highest = names.list().epochs.at(-1) ?? 0;
    yield "look at the holder";
    const held = highest === 0 ? undefined : holderOf(names, highest, options);
    if (held !== undefined) return held;
    const epoch = highest + 1;
    const content: LockFile = {
      schema_version: 1,
      epoch,
      holder,
      taken_at: options.at,
      purpose: options.purpose,
      goal_id: options.goalId,
    };
    const candidate = names.candidate(`${process.pid}-${randomBytes(6).toString("hex")}`);
    yield "write the candidate";
    guard(candidate, () => disk.createExclusive(candidate, `${JSON.stringify(content)}\n`));
    yield "link";
    const linked = tryLink(disk, candidate, names.path(epoch));
    removeIfThere(disk, candidate);
    if (!linked) continue;
    yield "look again";
    if (names.list().epochs.at(-1) !== epoch) continue;
    const lock = createLock(disk, names, epoch);
    try {
      disk.syncDirectory(names.directory);
    } catch (error) {
      // It is ours, but perhaps not after a power failure: better nobody's than held by somebody who gave up.
      releaseQuietly(lock);
      throw diskError(error, base);
    }
    yield "prune";
    prune(disk, names);
    return { ok: true, lock };
  }
}

export type LockState =
  | { readonly epoch: number; readonly released: false; readonly file: LockFile }
  | { readonly epoch: number; readonly released: true };

/** The highest epoch, for readers; undefined when nobody ever took it. Throws FILE_INVALID when it can't be read. */
export function readLock(base: string): LockState | undefined {
  const names = lockNames(base);
  for (;;) {
    const epoch = names.list().epochs.at(-1);
    if (epoch === undefined) return undefined;
    if (exists(names.released(epoch))) return { epoch, released: true };
    const file = readLockFile(names.path(epoch), epoch);
    if (file !== undefined) return { epoch, released: false, file };
    // It is gone: many others came and went since the listing, or the directory was moved.
  }
}

function holderOf(
  names: LockNames,
  epoch: number,
  options: TakeOptions,
): Extract<TakeResult, { ok: false }> | undefined {
  if (exists(names.released(epoch))) return undefined;
  const file = readLockFile(names.path(epoch), epoch);
  // Gone since the listing: what follows it is found when our own turns out not to be the highest.
  if (file === undefined) return undefined;
  const liveness = options.liveness(file.holder);
  if (liveness === "dead") return undefined;
  if (liveness === "unknown" && options.takeOver === true) return undefined;
  return { ok: false, epoch, holder: file.holder, liveness };
}

function createLock(disk: Disk, names: LockNames, epoch: number): Lock {
  let released = false;
  return {
    epoch,
    // A look at the next number alone would not do: for a holder that slept long enough it was removed again.
    lost: () => released || names.list().epochs.at(-1) !== epoch,
    release() {
      released = true;
      const marker = names.released(epoch);
      try {
        disk.createExclusive(marker, "");
        disk.syncDirectory(names.directory);
      } catch (error) {
        if (errorCode(error) !== "EEXIST" && errorCode(error) !== "ENOENT") {
          throw diskError(error, marker);
        }
      }
    },
  };
}

/** False when the number is taken, or when the winner of a race has swept our candidate away. */
function tryLink(disk: Disk, from: string, to: string): boolean {
  try {
    disk.link(from, to);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST" || code === "ENOENT") return false;
    removeIfThere(disk, from);
    throw diskError(error, to);
  }
}

const KEPT_EPOCHS = 8;

/** Never the highest. Other takers' candidates go, too: who misses its own begins again and finds the lock held. */
function prune(disk: Disk, names: LockNames): void {
  const { epochs, candidates } = names.list();
  try {
    for (const epoch of epochs.slice(0, -KEPT_EPOCHS)) {
      removeIfThere(disk, names.released(epoch));
      removeIfThere(disk, names.path(epoch));
    }
    for (const candidate of candidates) removeIfThere(disk, candidate);
  } catch {
    // What is left over does no harm; the next taker tries again.
  }
}

function releaseQuietly(lock: Lock): void {
  try {
    lock.release();
  } catch {
    // Then it is free when this process ends.
  }
}

function removeIfThere(disk: Disk, path: string): void {
  try {
    disk.unlink(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw diskError(error, path);
  }
}

function guard(path: string, operation: () => void): void {
  try {
    operation();
  } catch (error) {
    throw diskError(error, path);
  }
}
