import { LoopwrightError, type ResolveBody } from "@loopwright/protocol";
import { listSessions } from "../store/session-lookup.ts";
import type { Context } from "./context.ts";
import { findCoordinator } from "./people-client.ts";
import type { GoalTarget } from "./target.ts";
import { VERSION } from "./version.ts";

/** How long another one who holds the goal for a moment is waited for, monotonic ms. */
const PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 50;

/** Asks the goal's coordinator or, where none lives, does it under the goal's lock. `seq`: null without a session. */
export async function settleGoal(
  { seams }: Context,
  { goal, layout, runtimeRoot }: GoalTarget,
  body: Pick<ResolveBody, "take" | "next_action" | "note">,
): Promise<{ readonly seq: number | null }> {
  const asked = { ...body, by: "user" };
  const deadline = seams.clock.monotonic() + PATIENCE_MS;
  for (;;) {
    const latest = listSessions(layout.sessions).at(-1);
    const client =
      latest === undefined ? undefined : findCoordinator(seams, goal.id, layout.session(latest));
    if (client !== undefined) return await client.post("resolve", asked);
    try {
      const { settleOffline } = await import("../coordinator/plan/settle-offline.ts");
      return await settleOffline({ seams, runtimeRoot, goalId: goal.id, version: VERSION }, asked);
    } catch (error) {
      const held = error instanceof LoopwrightError && error.code === "LOCK_HELD";
      if (!held || seams.clock.monotonic() >= deadline) throw error;
    }
    await seams.clock.sleep(LOOK_AGAIN_MS);
  }
}
