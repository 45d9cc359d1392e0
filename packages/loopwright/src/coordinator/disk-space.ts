import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { ensureReserve, releaseReserve } from "../store/reserve.ts";
import type { Seams } from "./seams.ts";

/** Watches over the reserve file, with which a coordinator whose disk is full can still write that it paused. */
export interface DiskSpace {
  /** A write found the disk full: gives the reserve back and calls `onFull`. */
  ranOut(): void;
  /** Nothing may be started while this is so. */
  isOut(): boolean;
  /** Notices a disk that others filled: a worker whose disk is full waits in silence for room. */
  look(): void;
  /** Sets the reserve aside, once. Not at the start: 4 MiB take their time, and the first agent waits for nothing. */
  prepare(): void;
  /** Looks whether there is space again, not too often; true when there is, once. */
  isBack(paused: boolean): boolean;
}

export interface DiskSpaceOptions {
  readonly seams: Pick<Seams, "clock" | "disk">;
  readonly reserve: string;
  readonly checkout: string;
  /** How many iterations have succeeded so far. */
  readonly successes: () => number;
  /** Writes down that the session paused; may fail again. */
  readonly onFull: () => void;
}

/** Below this nothing goes on: one iteration's files and a commit. */
const FLOOR_BYTES = 16 * 1024 * 1024;
/** First pause between two looks; doubles while the disk fills up again without a success in between. Monotonic ms. */
const FIRST_LOOK_MS = 1_000;
const LONGEST_LOOK_MS = 10 * 60_000;

export function createDiskSpace(options: DiskSpaceOptions): DiskSpace {
  const { seams, reserve, checkout, successes, onFull } = options;
  const { clock, disk } = seams;
  let out = false;
  let pause = FIRST_LOOK_MS;
  /** When to look next; undefined while there is no trouble. */
  let lookAt: number | undefined;
  let successesBefore: number | undefined;
  let prepared = false;

  const beginTrouble = (): number => {
    const again = successesBefore === successes();
    pause = again ? Math.min(pause * 2, LONGEST_LOOK_MS) : FIRST_LOOK_MS;
    return (lookAt = clock.monotonic() + pause);
  };

  const ranOut = (): void => {
    if (out) return;
    out = true;
    beginTrouble();
    quietly(() => releaseReserve(disk, reserve));
    quietly(onFull);
  };

  return {
    isOut: () => out,
    ranOut,
    look() {
      if (!hasSpace(dirname(reserve)) || !hasSpace(checkout)) ranOut();
    },
    prepare() {
      if (prepared) return;
      prepared = true;
      if (!quietly(() => ensureReserve(disk, reserve))) ranOut();
    },
    isBack(paused) {
      if (!out && !paused) return false;
      const now = clock.monotonic();
      // Where a worker's disk was full, the pause is the first that we hear of it.
      if (now < (lookAt ?? beginTrouble())) return false;
      lookAt = now + pause;
      if (!hasSpace(dirname(reserve)) || !hasSpace(checkout)) return false;
      if (!quietly(() => ensureReserve(disk, reserve))) return false;
      successesBefore = successes();
      lookAt = undefined;
      out = false;
      return true;
    },
  };
}

/** True where it can't be told: the write itself will say. */
function hasSpace(directory: string): boolean {
  try {
    const { bavail, blocks, bsize } = statfsSync(directory);
    return blocks === 0 || bavail * bsize >= FLOOR_BYTES;
  } catch {
    return true;
  }
}

function quietly(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof LoopwrightError) return false;
    throw error;
  }
}
