import { cancelFile } from "@loopwright/protocol";
import type { Clock } from "../seams/clock.ts";
import { readJsonIfPresent } from "../store/read.ts";

export interface CancelWatch {
  /** Aborted once `cancel.json` names this attempt. */
  readonly signal: AbortSignal;
  close(): void;
}

/** Twice a second. Monotonic milliseconds. */
const LOOK_MS = 500;

/** Looks at `cancel.json` of a task's directory. One of another attempt, or one that isn't ours, says nothing. */
export function watchCancel(path: string, attemptId: string, clock: Clock): CancelWatch {
  const cancelled = new AbortController();
  const closed = new AbortController();
  void (async () => {
    while (!closed.signal.aborted) {
      if (isCancelled(path, attemptId)) return cancelled.abort();
      await clock.sleep(LOOK_MS, closed.signal);
    }
  })();
  return { signal: cancelled.signal, close: () => closed.abort() };
}

function isCancelled(path: string, attemptId: string): boolean {
  try {
    return readJsonIfPresent(path, cancelFile)?.attempt_id === attemptId;
  } catch {
    return false;
  }
}
