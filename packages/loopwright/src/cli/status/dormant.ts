import { existsSync } from "node:fs";
import { type AttentionItem, LoopwrightError } from "@loopwright/protocol";
import { requireSchedulable } from "../../control-plane/archive/schedulable.ts";
import { readActivation } from "../../control-plane/goal-activation.ts";
import { runtimeLayout } from "../../store/layout.ts";
import type { GoalTarget } from "../target.ts";

/** That nothing of a goal is started: disabled, archived, or in between since a move was cut off. Empty when it may be. */
export function dormantItems(
  { goal, layout, runtimeRoot }: GoalTarget,
  now: string,
): AttentionItem[] {
  try {
    requireSchedulable(runtimeLayout(runtimeRoot), goal.id);
    return [];
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    const unfinished = error.code === "ARCHIVE_UNFINISHED";
    if (!unfinished && error.code !== "GOAL_DISABLED" && error.code !== "GOAL_ARCHIVED")
      throw error;
    return [
      {
        goal_id: goal.id,
        waiting_on: unfinished ? "you" : "nobody",
        severity: unfinished ? "action" : "watch",
        kind: error.code.toLowerCase(),
        since: sinceOf(layout) ?? now,
        text: error.message,
        next_command: /loopwright .*?(?=\. Or |$)/.exec(error.hint ?? "")?.[0] ?? null,
      },
    ];
  }
}

function sinceOf(layout: GoalTarget["layout"]): string | undefined {
  return existsSync(layout.goalJson) ? readActivation(layout)?.updated_at : undefined;
}
