import { LoopwrightError } from "@loopwright/protocol";
import type { RuntimeLayout } from "../../store/layout.ts";
import { readActivation } from "../goal-activation.ts";
import { readArchiveFile } from "./archive-file.ts";
import { archiveFileOf } from "./archive-log.ts";
import { latestArchiveOf } from "./find-archive.ts";

/**
 * Throws GOAL_DISABLED, GOAL_ARCHIVED or ARCHIVE_UNFINISHED when nothing of the goal may be started. A goal that has
 * no record yet may be.
 */
export function requireSchedulable(runtime: RuntimeLayout, goalId: string): void {
  const goal = runtime.goal(goalId);
  const named = JSON.stringify(goalId);
  const moving = readArchiveFile(goal.directory);
  if (moving?.state === "archiving" && isTwin(moving)) {
    throw new LoopwrightError(
      "ARCHIVE_UNFINISHED",
      `Goal ${named} was being archived to ${moving.archive_path} when that was cut off`,
      {
        hint: `Finish it with: loopwright archive ${goalId} --execute --allow-registered. Or take it back: loopwright archive restore ${moving.archive_path} --execute`,
      },
    );
  }
  const activation = readActivation(goal);
  if (activation === undefined) return refuseArchived(runtime, goalId);
  if (activation.state === "active") return;
  const reason = activation.reason === "" ? "" : `: ${activation.reason}`;
  throw new LoopwrightError("GOAL_DISABLED", `Goal ${named} is ${activation.state}${reason}`, {
    hint: `Enable it with: loopwright goal enable ${goalId}`,
  });
}

/** Throws GOAL_ARCHIVED when the goal isn't here but in the archive. */
export function refuseArchived(runtime: RuntimeLayout, goalId: string): void {
  const archived = latestArchiveOf(runtime, goalId);
  if (archived === undefined) return;
  throw new LoopwrightError(
    "GOAL_ARCHIVED",
    `Goal ${JSON.stringify(goalId)} is archived in ${archived.path}`,
    { hint: `Restore it with: loopwright archive restore ${archived.name} --execute` },
  );
}

function isTwin({
  archive_id,
  archive_path,
}: {
  archive_id: string;
  archive_path: string;
}): boolean {
  return archiveFileOf(archive_path)?.archive_id === archive_id;
}
