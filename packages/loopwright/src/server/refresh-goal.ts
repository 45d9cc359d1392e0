import { z } from "zod";
import { refresh } from "../control-plane/refresh/refresh.ts";
import { parseBody } from "../read-api/http/body.ts";
import { timestamp } from "../seams/clock.ts";
import { appendRow } from "../store/line-file.ts";
import type { GoalEntry } from "./goal-entry.ts";
import type { ServerParts } from "./server.ts";

const refreshBody = z.strictObject({
  recommended_action: z.string().min(1).max(4000).optional(),
  classification: z.string().min(1).max(100).optional(),
  dry_run: z.boolean().default(false),
});

/** Reads a goal's state anew and appends a run that says so. */
export function refreshGoal(
  { seams }: Pick<ServerParts, "seams">,
  { goal, layout }: GoalEntry,
  body: unknown,
): object {
  const parsed = parseBody(refreshBody, body);
  const { row, nextAction, warnings } = refresh(layout, {
    goalId: goal.id,
    runId: seams.ids.next(),
    at: timestamp(seams.clock),
    recommendedAction: parsed.recommended_action,
    classification: parsed.classification,
  });
  if (!parsed.dry_run) appendRow(seams.disk, layout.runs, row);
  const { dry_run } = parsed;
  return {
    schema_version: 1,
    goal_id: goal.id,
    dry_run,
    run: row,
    next_action: nextAction,
    warnings,
  };
}
