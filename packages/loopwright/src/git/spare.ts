import { statSync } from "node:fs";
import type { StartedGit } from "./git.ts";

/**
 * One git started ahead of its use, waiting for its input: a start costs more than all that it does on a small tree.
 * A spare that was started in a directory which has since been replaced is thrown away.
 */
export interface Spare {
  /** The waiting one, or one started now. */
  take(): StartedGit;
  /** Starts the next one ahead, where spares are wanted. */
  prepare(): void;
  close(): void;
}

export function createSpare(cwd: string, ahead: boolean, start: () => StartedGit): Spare {
  let waiting: { started: StartedGit; place: string | undefined } | undefined;
  const close = (): void => {
    waiting?.started.cancel();
    waiting = undefined;
  };
  return {
    take: () => {
      if (waiting !== undefined && waiting.place !== placeOf(cwd)) close();
      const started = waiting?.started ?? start();
      waiting = undefined;
      return started;
    },
    prepare: () => {
      if (ahead) waiting ??= { started: start(), place: placeOf(cwd) };
    },
    close,
  };
}

/** Names one directory for as long as it exists. */
export function placeOf(directory: string): string | undefined {
  const stat = statSync(directory, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}:${stat.birthtimeMs}`;
}
