import { existsSync } from "node:fs";
import { LoopwrightError } from "@loopwright/protocol";
import { refuseArchived } from "../control-plane/archive/schedulable.ts";
import { refuseForeign } from "../control-plane/foreign-registry.ts";
import { runtimeLayout } from "../store/layout.ts";
import type { GoalTarget } from "./target.ts";

/** Throws FOREIGN_PROJECT, GOAL_ARCHIVED or GOAL_NOT_FOUND unless the goal is ours and its data is here to be changed. */
export function requireGoalData({ goal, layout, registryPath, runtimeRoot }: GoalTarget): void {
  refuseForeign(registryPath);
  if (existsSync(layout.directory)) return;
  refuseArchived(runtimeLayout(runtimeRoot), goal.id);
  throw new LoopwrightError("GOAL_NOT_FOUND", `${runtimeRoot} has no data of goal "${goal.id}"`, {
    where: layout.directory,
    hint: `If its data is elsewhere, name that place with --runtime-root; else begin: loopwright run --goal ${goal.id}`,
  });
}
