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
  /** The same each time that it is looked at, as long as it stands. */
  id: z.string(),
  goal_id: goalId,
  waiting_on: z.enum(["you", "agent", "provider", "nobody"]),
  severity,
  kind: z.string(),
  since: timestamp,
  text: z.string(),
  /** The goal doesn't go on before it is settled. */
  blocks: z.boolean(),
  question: z
    .object({
      id: z.string(),
      text: z.string(),
      options: z.array(z.string()),
      default: z.string().optional(),
    })
    .optional(),
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
  /** From here on left out where it says nothing, or where there is no room for it. */
  max_cost_usd: z.number().optional(),
  /** Iterations of which nobody knows what they cost. */
  unpriced: z.int().positive().optional(),
  /** Of the last verification, and after which iteration it ran. */
  checks: z
    .object({
      pass: z.int().nonnegative(),
      fail: z.int().nonnegative(),
      error: z.int().nonnegative(),
      at: z.int().nonnegative(),
    })
    .optional(),
  /** Kinds, at most three, without what is only to know. */
  drift: z.array(z.string()).optional(),
  /** Since when it is in this phase. */
  since: timestamp.optional(),
  /** Until then no account may be used. */
  waiting_until: timestamp.optional(),
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
