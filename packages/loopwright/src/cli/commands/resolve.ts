import { nextActionOf, readActiveState } from "../../control-plane/active-state/index.ts";
import { settle } from "../../coordinator/plan/settle.ts";
import { oneLine } from "../../read-api/words/printable.ts";
import { timestamp } from "../../seams/clock.ts";
import { listSessions } from "../../store/session-lookup.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { openSession } from "../open-session.ts";
import { requireGoalData } from "../require-goal-data.ts";
import { settleGoal } from "../settle-goal.ts";
import { findGoal } from "../target.ts";

interface ResolveFlags {
  readonly take: "state" | "run";
  readonly note?: string;
}

/** Settles a mismatch between the next action and what the last run recommends. */
export async function run(context: Context, { args, options }: Invocation): Promise<number> {
  const { output, seams } = context;
  const { take, note } = options as unknown as ResolveFlags;
  const target = findGoal(context, args[0] as string | undefined);
  const { goal, layout } = target;
  requireGoalData(target);
  const state =
    listSessions(layout.sessions).length === 0 ? undefined : openSession(target, "latest").state;
  const body = { take, by: "user", ...(note === undefined ? {} : { note }) };
  const at = timestamp(seams.clock);
  const { occurrence } = settle(layout, state, { goalId: goal.id, body, at });
  if (occurrence === undefined) {
    output.line(`${goal.id}: next action and recommendation agree, so nothing is to be settled`);
    output.document({ goal_id: goal.id, resolved: false, take, seq: state?.seq ?? null });
    return 0;
  }
  const { seq } = await settleGoal(context, target, body);
  const text = readActiveState(layout.activeState);
  const nextAction = text === undefined ? null : (nextActionOf(text) ?? null);
  output.line(`${goal.id}: settled; the next action is: ${oneLine(nextAction ?? "(none)", 300)}`);
  output.document({ goal_id: goal.id, resolved: true, take, next_action: nextAction, seq });
  return 0;
}
