import { statSync } from "node:fs";
import type { StartedGit } from "./git.ts";

/**
 * One git started ahead of its use, waiting for its input: a start costs more than all that it does on a small tree.
 * A spare that was started in a directory which has since been replaced is thrown away.
 */
export interface Spare<T extends { readonly git: StartedGit }> {
  /** The waiting one, or one started now. */
  take(): T;
  /** Starts the next one. Starting blocks for milliseconds: a caller does it when it has nothing else to do. */
  prepare(): void;
  /** Ends the waiting one. */
  close(): void;
}

export function createSpare<T extends { readonly git: StartedGit }>(
  cwd: string,
  start: () => T,
  discard: (one: T) => void = () => {},
): Spare<T> {
  let waiting: { one: T; place: string | undefined } | undefined;
  const drop = (): void => {
    if (waiting === undefined) return;
    waiting.one.git.cancel();
    discard(waiting.one);
    waiting = undefined;
  };
  return {
    take: () => {
      if (waiting !== undefined && waiting.place !== placeOf(cwd)) drop();
      const one = waiting?.one ?? start();
      waiting = undefined;
      return one;
    },
    prepare: () => {
      waiting ??= { one: start(), place: placeOf(cwd) };
    },
    close: drop,
  };
}

/** Names one directory for as long as it exists. */
export function placeOf(directory: string): string | undefined {
  const stat = statSync(directory, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}:${stat.birthtimeMs}`;
}
