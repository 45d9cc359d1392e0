import type { JournalLine } from "@loopwright/protocol";
import type { Clock } from "../seams/clock.ts";

/** Monotonic time with a task live, since its assignment or since this coordinator started. */
export interface LiveTime {
  ms(): number;
  apply(line: Pick<JournalLine, "records">): void;
}

export function createLiveTime(clock: Pick<Clock, "monotonic">): LiveTime {
  let since = clock.monotonic();
  return {
    ms: () => Math.max(0, Math.round(clock.monotonic() - since)),
    apply({ records }) {
      for (const { type } of records) {
        if (type === "task_assigned" || type === "verification_started") since = clock.monotonic();
      }
    },
  };
}
