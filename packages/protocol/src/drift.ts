import { z } from "zod";
import { schemaVersion } from "./primitives.ts";

/** `info`: to know. `watch`: look when you pass by. `action`: two sources contradict each other; settle it. */
export const driftSeverity = z.enum(["info", "watch", "action"]);
export type DriftSeverity = z.output<typeof driftSeverity>;

/**
 * How two actions disagree. `negated`: one forbids or reverses what the other asks. `different_target`: the same action
 * at something else, or at the same things with their roles swapped. `different_action`: something else is done, or one
 * waits while the other acts. `unrelated`: nothing in common.
 */
export const ACTION_DIVERGENCES = [
  "negated",
  "different_target",
  "different_action",
  "unrelated",
] as const;
export const actionDivergence = z.enum(ACTION_DIVERGENCES);
export type ActionDivergence = z.output<typeof actionDivergence>;

/** The next action of the active state and the latest run's recommendation disagree. */
export const nextActionWarning = z.object({
  schema_version: schemaVersion,
  kind: z.literal("next_action_projection_mismatch"),
  severity: driftSeverity,
  divergence: actionDivergence,
  /** True when somebody has to settle it: the active state is to be written, or confirmed as it stands. */
  requires_state_writeback: z.boolean(),
  /** Both texts as they were read, unshortened. */
  active_state_next_action: z.string(),
  latest_run_recommended_action: z.string(),
  /** One sentence for people. */
  reason: z.string(),
  /** What to do about it, with the command. */
  recommended_action: z.string(),
  /** The parts that the other text lacks, in order; at most 40 of at most 120 characters each. */
  differing: z.object({ only_in_state: z.array(z.string()), only_in_run: z.array(z.string()) }),
});
export type NextActionWarning = z.output<typeof nextActionWarning>;

export const DRIFT_FACT_KINDS = [
  "stale_latest_run",
  "prose_without_todo",
  "status_process_mismatch",
  "branch_switched",
  "state_edited_by_hand",
  "checks_tampered",
  "port_left_open",
] as const;

/** One source and what it says: two of them contradict each other, or one contradicts what should be. */
export const driftEvidence = z.object({ source: z.string(), says: z.string() });
export type DriftEvidence = z.output<typeof driftEvidence>;

/** Drift between files, processes and git. */
export const driftFactWarning = z.object({
  schema_version: schemaVersion,
  kind: z.enum(DRIFT_FACT_KINDS),
  severity: driftSeverity,
  /** One sentence for people. */
  reason: z.string(),
  /** What to do about it, with the command. */
  recommended_action: z.string(),
  evidence: z.array(driftEvidence).min(1).max(40),
});
export type DriftFactWarning = z.output<typeof driftFactWarning>;

export const driftWarning = z.discriminatedUnion("kind", [nextActionWarning, driftFactWarning]);
export type DriftWarning = z.output<typeof driftWarning>;
export type DriftKind = DriftWarning["kind"];
