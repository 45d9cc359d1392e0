import { z } from "zod";
import { formatDuration } from "./quantities.ts";
import { sha256, slug } from "./primitives.ts";

const positive = z.int().positive();

/** What the scheduler knows of one workflow. The prompt and the agent's settings are the worker's business. */
export const schedulingRules = z.object({
  id: slug,
  enabled: z.boolean(),
  priority: z.int(),
  run_every: positive,
  must_follow: slug.optional(),
  not_before_iteration: z.int().nonnegative(),
  run_on_start: z.boolean(),
  run_after_successes: z.object({ workflow: slug, every: positive }).optional(),
  run_when_requested: z.boolean(),
  emits_goal_check: z.boolean(),
  plans: z.boolean(),
  may_complete: z.boolean(),
});
export type SchedulingRules = z.output<typeof schedulingRules>;

/** Limits that stop rules 4, 6 and 7 read. `null` is no limit. */
export const sessionLimits = z.object({
  max_iterations: positive,
  /** Monotonic milliseconds with a task live. */
  max_wall_clock_ms: positive.nullable(),
  max_tokens: positive.nullable(),
  max_cost_usd: z.number().positive().nullable(),
  no_progress_after: positive.nullable(),
  workflow_failure_cap: positive,
});
export type SessionLimits = z.output<typeof sessionLimits>;

export const RAISABLE_LIMITS = [
  "max_iterations",
  "max_wall_clock_ms",
  "max_tokens",
  "max_cost_usd",
] as const;
export const raisableLimit = z.enum(RAISABLE_LIMITS);
export type RaisableLimit = z.output<typeof raisableLimit>;

/** An amount of what this limit limits, for people: `3`, `8h 00m`, `$0.50`. */
export function amountText(limit: RaisableLimit, amount: number): string {
  if (limit === "max_wall_clock_ms") return formatDuration(amount);
  return limit === "max_cost_usd" ? `$${amount.toFixed(2)}` : String(amount);
}

export const pinnedCheckRule = z.object({ id: slug, sha256, required: z.boolean() });

/** Everything of a session's frozen configuration that decisions depend on; stands in the journal itself. */
export const rules = z.object({
  workflows: z.array(schedulingRules).min(1),
  limits: sessionLimits,
  unknown_cost: z.enum(["count_iterations", "stop"]),
  gate: z.object({
    /** Empty: a claim is accepted unverified, and says so. */
    checks: z.array(pinnedCheckRule),
    baseline: z.enum(["require_red", "allow_green"]),
    run: z.enum(["claims", "implementing"]),
  }),
});
export type Rules = z.output<typeof rules>;
