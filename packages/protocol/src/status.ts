import { z } from "zod";
import { goalId, schemaVersion, sessionId, timestamp } from "./primitives.ts";
import { sessionStatus, stopReason } from "./stop.ts";

export const PHASES = [
  "starting",
  "executing",
  "verifying",
  "waiting_provider",
  "waiting_you",
  "paused",
  "child",
  "recovering",
  "interrupted",
  "ended",
] as const;
export const phase = z.enum(PHASES);
export type Phase = z.output<typeof phase>;

export const severity = z.enum(["high", "action", "watch"]);

/** What waits on whom, with the one command that settles it. */
export const attentionItem = z.object({
  goal_id: goalId,
  waiting_on: z.enum(["you", "agent", "provider", "nobody"]),
  severity,
  kind: z.string(),
  since: timestamp,
  text: z.string(),
  question: z.string().optional(),
  next_command: z.string().nullable(),
});
export type AttentionItem = z.output<typeof attentionItem>;

/** One goal in `status --json`: counts and severities, texts cut at 80 characters. */
export const goalStatus = z.object({
  id: goalId,
  title: z.string(),
  phase: phase.nullable(),
  status: sessionStatus.nullable(),
  stop_reason: stopReason.nullable(),
  verified: z.boolean().nullable(),
  session_id: sessionId.nullable(),
  iteration: z.int().nonnegative(),
  max_iterations: z.int().positive().nullable(),
  current_workflow: z.string().nullable(),
  next_action: z.string().nullable(),
  warnings: z.int().nonnegative(),
  attention: z.object({ count: z.int().nonnegative(), severity: severity.nullable() }),
  cost_usd: z.number().nonnegative().nullable(),
  updated_at: timestamp.nullable(),
});
export type GoalStatus = z.output<typeof goalStatus>;

export const statusDocument = z.object({
  schema_version: schemaVersion,
  generated_at: timestamp,
  registry: z.string(),
  runtime_root: z.string(),
  goals: z.array(goalStatus),
  /** Of a server: the position in `/events` that this is true for. */
  cursor: z.string().optional(),
  totals: z
    .object({
      goals: z.int().nonnegative(),
      by_phase: z.record(z.string(), z.int().nonnegative()),
      attention: z.record(severity, z.int().nonnegative()),
    })
    .optional(),
});
export type StatusDocument = z.output<typeof statusDocument>;
