import { LoopwrightError } from "@loopwright/protocol";
import { runtimeLayout } from "../../store/layout.ts";
import { requireSchedulable } from "../archive/schedulable.ts";
import { readActivation } from "../goal-activation.ts";
import type { Unnamed } from "./attention.ts";

/** That nothing of a goal is started: disabled, archived, or in between since a move was cut off. Empty when it may be. */
export function dormantItems(runtimeRoot: string, goalId: string, now: string): Unnamed[] {
  const runtime = runtimeLayout(runtimeRoot);
  try {
    requireSchedulable(runtime, goalId);
    return [];
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    const unfinished = error.code === "ARCHIVE_UNFINISHED";
    if (!unfinished && error.code !== "GOAL_DISABLED" && error.code !== "GOAL_ARCHIVED")
      throw error;
    return [
      {
        goal_id: goalId,
        waiting_on: unfinished ? "you" : "nobody",
        severity: unfinished ? "action" : "watch",
        kind: error.code.toLowerCase(),
        since: readActivation(runtime.goal(goalId))?.updated_at ?? now,
        text: error.message,
        blocks: true,
        next_command: /loopwright .*?(?=\. Or |$)/.exec(error.hint ?? "")?.[0] ?? null,
      },
    ];
  }
}
