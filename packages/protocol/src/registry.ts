import { z } from "zod";
import { goalId, schemaVersion, slug, timestamp } from "./primitives.ts";

/** One goal as a registry lists it. Unknown fields survive a rewrite. */
export const registryGoal = z.looseObject({
  id: goalId,
  title: z.string().default(""),
  repo: z.string().min(1),
  config: z.string().min(1).default("loopwright.yaml"),
  workflow_set: slug.optional(),
  state_file: z.string().optional(),
  created_at: z.string().optional(),
});
export type RegistryGoal = z.output<typeof registryGoal>;

/** `registry.json`: a project's or a user's goals, and where their runtime data lives. */
export const registryFile = z.looseObject({
  schema_version: schemaVersion.default(1),
  updated_at: z.string().optional(),
  common_runtime_root: z.string().nullable().optional(),
  goals: z.array(registryGoal).default([]),
});
export type RegistryFile = z.output<typeof registryFile>;

export const activation = z.object({
  state: z.enum(["active", "disabled", "archived"]),
  reason: z.string().default(""),
  updated_at: timestamp,
});

/** `goals/<goal-id>/goal.json`, made with O_EXCL by the first registration. */
export const goalFile = z.looseObject({
  schema_version: schemaVersion,
  goal_id: goalId,
  registry: z.string(),
  repo: z.string(),
  created_at: timestamp,
  activation,
});
export type GoalFile = z.output<typeof goalFile>;

/** `~/.loopwright/projects.json`: where `status --all` looks. */
export const projectsFile = z.looseObject({
  schema_version: schemaVersion,
  registries: z.array(z.string()),
});

/** Front matter of `ACTIVE_STATE.md`. */
export const activeStateFrontMatter = z.looseObject({ goal_id: goalId, updated_at: z.string() });

/** Where a run's recommended action comes from, the first that there is. */
export const RECOMMENDATION_SOURCES = [
  "explicit",
  "report",
  "next_action",
  "todo",
  "default",
  "none",
] as const;
export type RecommendationSource = (typeof RECOMMENDATION_SOURCES)[number];

/** One line of the run index `runs.jsonl`. */
export const runRow = z.object({
  run_id: z.string().min(1),
  generated_at: timestamp,
  kind: z.enum(["iteration", "refresh", "decision"]),
  session_id: z.string().optional(),
  iteration: z.int().positive().optional(),
  workflow_id: slug.optional(),
  /** Whether the workflow that recommends plans: only then its word moves the next action. */
  plans: z.boolean().optional(),
  /** Of an iteration `succeeded`, its outcome, or `abandoned`; of others what was done. */
  classification: z.string(),
  recommended_action: z.string().optional(),
  /** One of `RECOMMENDATION_SOURCES`; of rows from elsewhere whatever they say. */
  recommended_action_source: z.string(),
  /** sha256 of `ACTIVE_STATE.md` as the run left it; empty: there was none, or it isn't known any more. */
  state_digest: z.string(),
  /** sha256 of the next action as the run left it: with another one, the next action was moved since. */
  next_action_digest: z.string().optional(),
  /** Why a person decided so. */
  note: z.string().optional(),
  /** Relative to the goal's directory; empty: there is nothing more. */
  path: z.string(),
});
export type RunRow = z.output<typeof runRow>;
