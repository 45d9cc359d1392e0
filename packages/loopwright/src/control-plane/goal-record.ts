import { goalFile, type GoalFile, LoopwrightError, SCHEMA_VERSION } from "@loopwright/protocol";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Disk } from "../store/disk.ts";
import { createDurable, makeDirectoryDurable } from "../store/durable-write.ts";
import type { GoalLayout } from "../store/layout.ts";
import { readJson } from "../store/read.ts";

export interface GoalRecord {
  readonly goalId: string;
  /** Absolute path of the registry that lists the goal. */
  readonly registry: string;
  readonly repo: string;
  readonly at: string;
}

/**
 * Claims a goal id in a runtime root: of several registries that try, one makes `goal.json`. Returns whether it was
 * made now. Throws GOAL_ID_TAKEN, naming both registries.
 */
export function claimGoalId(disk: Disk, layout: GoalLayout, record: GoalRecord): boolean {
  makeDirectoryDurable(disk, layout.directory);
  const content: GoalFile = {
    schema_version: SCHEMA_VERSION,
    goal_id: record.goalId,
    registry: record.registry,
    repo: record.repo,
    created_at: record.at,
    activation: { state: "active", reason: "", updated_at: record.at },
  };
  if (createDurable(disk, layout.goalJson, `${JSON.stringify(content, null, 2)}\n`)) return true;
  refuseOther(layout, record);
  return false;
}

/** Throws GOAL_ID_TAKEN if another registry has this id. */
export function refuseOther(
  layout: GoalLayout,
  { goalId, registry }: Pick<GoalRecord, "goalId" | "registry">,
): void {
  const owner = resolve(readJson(layout.goalJson, goalFile).registry);
  if (owner === resolve(registry)) return;
  throw new LoopwrightError(
    "GOAL_ID_TAKEN",
    `The goal id ${JSON.stringify(goalId)} belongs to ${owner} already, so ${registry} can't use it in the same runtime root`,
    {
      hint: existsSync(owner)
        ? "Choose another id with --goal-id, or another runtime root with --runtime-root."
        : `${owner} is gone. If the repository was moved: loopwright goal adopt ${goalId}`,
    },
  );
}
