import { join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { timestamp } from "../../seams/clock.ts";
import { errorCode } from "../../store/disk-error.ts";
import type { GoalLayout } from "../../store/layout.ts";
import { goalLayout } from "../../store/layout.ts";
import { takeLock } from "../../store/lock.ts";
import type { ArchiveSeams } from "./seams.ts";

/** The goal's own lock, held for the time of a move: nobody coordinates the goal meanwhile. */
export interface GoalHold {
  /** Gives it up wherever the directory lies by now. */
  releaseAt(directory: string): void;
}

/** Throws LOCK_HELD or LOCK_UNKNOWN_HOLDER. */
export function holdGoal(seams: ArchiveSeams, goal: GoalLayout, goalId: string): GoalHold {
  const { disk, clock, processes } = seams;
  const taken = takeLock(disk, goal.lock, processes.self(), {
    liveness: (holder) => processes.liveness(holder),
    at: timestamp(clock),
    purpose: "goal",
    goalId,
  });
  if (!taken.ok) {
    const code = taken.liveness === "alive" ? "LOCK_HELD" : "LOCK_UNKNOWN_HOLDER";
    const { pid, host } = taken.holder;
    throw new LoopwrightError(code, `The goal is in use by process ${pid} on ${host}`, {
      hint: "Look at it with: loopwright status",
    });
  }
  const { lock } = taken;
  return {
    releaseAt(directory) {
      // The lock moved along with the directory, so its own release would look in the wrong place.
      const { locks } = goalLayout(directory);
      try {
        disk.createExclusive(join(locks, `coordinator.${lock.epoch}.released`), "");
        disk.syncDirectory(locks);
      } catch (error) {
        // Not being able to say so does no harm: the lock is free when this process ends.
        if (errorCode(error) === undefined) throw error;
      }
    },
  };
}
