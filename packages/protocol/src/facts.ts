import { z } from "zod";
import { sha256, slug, timestamp } from "./primitives.ts";

/** What the shell gathered from the world for one decision. Stored with the decision, so that it can be made again. */
export const decisionFacts = z.object({
  /** Wall time of the decision, for holds; never for limits. */
  now: timestamp,
  /** Standing requests: workflow -> digest of the request file's mtime_ns and content. */
  requests: z.record(slug, sha256),
  /** Workflows whose agent's account may not be used before the given time. */
  holds: z.record(slug, timestamp),
  /** Workflows whose own agent is held, and the agent that runs them meanwhile; absent: none. */
  agents: z.record(slug, slug).optional(),
  /** What other sessions and goals have spent against limits that reach over this session; absent: nothing counts. */
  spent_elsewhere: z
    .object({ tokens: z.int().nonnegative(), cost_usd: z.number().nonnegative() })
    .optional(),
});
export type DecisionFacts = z.output<typeof decisionFacts>;

export const RULE_NAMES = [
  "enabled",
  "not_benched",
  "not_before_iteration",
  "run_when_requested",
  "must_follow",
  "run_after_successes",
  "run_every",
  "not_held",
] as const;

/** One rule as it stood for one workflow: what it asked for and what it found, with numbers. */
export const ruleVerdict = z.object({
  rule: z.enum(RULE_NAMES),
  passed: z.boolean(),
  /** For example `4 of 3 other iterations since its last start`. */
  detail: z.string(),
  /** The start window lifted this rule. */
  lifted: z.boolean().optional(),
});
export type RuleVerdict = z.output<typeof ruleVerdict>;

export const workflowExplanation = z.object({
  workflow_id: slug,
  eligible: z.boolean(),
  rules: z.array(ruleVerdict),
});

/** Why this workflow and not the others. `chosen` is null when nothing could run. */
export const explanation = z.object({
  chosen: slug.nullable(),
  /** One sentence. */
  reason: z.string(),
  /** Nothing was eligible, so the rules about turns yielded to this one. */
  yielded: z.boolean(),
  workflows: z.array(workflowExplanation),
});
export type Explanation = z.output<typeof explanation>;
