import { LoopwrightError } from "@loopwright/protocol";
import { loadProjection, writeProjection } from "../control-plane/projection/index.ts";
import { runtimeLayout } from "../store/layout.ts";
import { takeGoalLock } from "./locks.ts";
import type { Seams } from "./seams.ts";

/**
 * Writes a goal's projection while nobody runs it, so that the next reader needn't derive it. Where somebody does, or
 * nothing can be written, everything stays as it is: readers don't depend on it.
 */
export function publishProjection(seams: Seams, runtimeRoot: string, goalId: string): void {
  // Before the lock, which nobody should have to wait for. What changes until it is written is noticed by its readers.
  const projection = loadProjection(runtimeRoot, goalId, seams);
  if (projection.coordinator.liveness === "alive") return;
  try {
    const lock = takeGoalLock(seams, runtimeLayout(runtimeRoot), goalId);
    try {
      writeProjection(seams.disk, runtimeRoot, projection);
    } finally {
      lock.release();
    }
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
  }
}
