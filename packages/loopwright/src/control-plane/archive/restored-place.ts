import { lstatSync, readdirSync } from "node:fs";
import { LoopwrightError } from "@loopwright/protocol";
import type { RuntimeLayout } from "../../store/layout.ts";
import { readArchiveFile } from "./archive-file.ts";
import type { ArchivedGoal } from "./list-archives.ts";
import { liveUse } from "./live-uses.ts";
import type { ArchiveSeams } from "./seams.ts";

export interface RestoredPlace {
  readonly path: string;
  /**
   * The same goal lies there since a move that was cut off: the complete one of a restore, or what an archiving left.
   * `husk`: nothing but the lock of a coordinator that came a moment too late.
   */
  readonly twin: "none" | "newer" | "older" | "husk";
}

/** Throws PLACE_TAKEN when something else has the goal's place. */
export function placeForRestored(
  seams: Pick<ArchiveSeams, "processes">,
  runtime: RuntimeLayout,
  archived: ArchivedGoal,
): { value: RestoredPlace; detail: string } {
  const { directory: path } = runtime.goal(archived.goal_id);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return { value: { path, twin: "none" }, detail: `${path} is free` };
  const there = found.isDirectory() ? readArchiveFile(path) : undefined;
  if (there !== undefined && there.archive_id === archived.file?.archive_id) {
    const twin = there.state === "restoring" ? "newer" : "older";
    return {
      value: { path, twin },
      detail: `${path} is what a move that was cut off has left; this finishes it`,
    };
  }
  if (found.isDirectory() && isHusk(seams, runtime, archived.goal_id)) {
    return { value: { path, twin: "husk" }, detail: `${path} holds nothing` };
  }
  throw new LoopwrightError("PLACE_TAKEN", `${path} exists already, and nothing is overwritten`, {
    where: path,
    hint: `Archive that one first: loopwright archive ${archived.goal_id}`,
  });
}

function isHusk(
  seams: Pick<ArchiveSeams, "processes">,
  runtime: RuntimeLayout,
  goalId: string,
): boolean {
  const goal = runtime.goal(goalId);
  const names = readdirSync(goal.directory);
  return names.every((name) => name === "locks") && liveUse(seams, goal) === undefined;
}
