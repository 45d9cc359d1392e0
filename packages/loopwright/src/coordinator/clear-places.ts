import { join } from "node:path";
import type { JournalRecord } from "@loopwright/protocol";
import type { Disk } from "../store/disk.ts";
import { clearPlace } from "../store/own-directory.ts";
import type { SessionLayout } from "../store/session-layout.ts";

/**
 * Nothing stands where the directory of a new task will be. The name can be guessed, so that an agent could have put
 * there what a task leaves behind: a withdrawal, an exit, a receipt. Before the commit, because after a crash behind it
 * nobody could tell what is planted from what the task's worker wrote.
 */
export function clearPlaces(
  disk: Disk,
  layout: SessionLayout,
  records: readonly JournalRecord[],
): void {
  for (const { type, data } of records) {
    const begins =
      type === "task_assigned" || (type === "verification_started" && data.kind !== "manual");
    if (begins) clearPlace(disk, layout.directory, join(layout.directory, data.directory));
  }
}
