import { LoopwrightError } from "@loopwright/protocol";
import { timestamp } from "../../seams/clock.ts";
import { type GoalLayout, runtimeLayout } from "../../store/layout.ts";
import { listSessions } from "../../store/session-lookup.ts";
import { commitOffline, type OfflineOptions } from "../offline.ts";
import type { Seams } from "../seams.ts";
import { applyMove } from "./apply-move.ts";
import { appendDecision, settle, type SettleOptions } from "./settle.ts";

export type SettleOfflineOptions = Omit<OfflineOptions, "sessionId">;

/**
 * A person's decision about the next action while no coordinator lives: journaled in the goal's newest session, if it has
 * one. Throws LOCK_HELD when somebody else holds the goal after all. `seq`: null without a session.
 */
export async function settleOffline(
  options: SettleOfflineOptions,
  body: SettleOptions["body"],
): Promise<{ readonly seq: number | null }> {
  const { seams, runtimeRoot, goalId } = options;
  const goal = runtimeLayout(runtimeRoot).goal(goalId);
  const at = timestamp(seams.clock);
  const sessionId = listSessions(goal.sessions).at(-1);
  if (sessionId === undefined) {
    const settled = settleWithoutSession(seams, goal, { goalId, body, at });
    if (settled) appendDecision(seams, goal, body, at);
    return { seq: null };
  }
  let settled = false;
  const { seq } = await commitOffline({ ...options, sessionId }, (state) => {
    const { occurrence } = settle(goal, state, { goalId, body, at });
    settled = occurrence !== undefined;
    return occurrence;
  });
  if (settled) appendDecision(seams, goal, body, at);
  return { seq };
}

const ATTEMPTS = 20;

function settleWithoutSession(
  { disk }: Pick<Seams, "disk">,
  goal: GoalLayout,
  options: SettleOptions,
): boolean {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const noted = settle(goal, undefined, options).occurrence?.noted;
    if (noted?.type !== "next_action_moved") return noted !== undefined;
    if (applyMove(disk, goal.activeState, noted.data, options.goalId) === undefined) return true;
  }
  throw new LoopwrightError("STATE_MOVED", `${goal.activeState} is being changed all the time`, {
    where: goal.activeState,
    hint: "Try again in a moment.",
  });
}
