import { z } from "zod";
import {
  childRequestDocument,
  controlDocument,
  goalCheckDocument,
  reportDocument,
  TEXT_LIMIT,
} from "./agent-documents.ts";
import { attemptId, schemaVersion, sessionId, slug, timestamp, treeDigest } from "./primitives.ts";

export const OUTCOMES = [
  "ok",
  "failed",
  "denied",
  "cancelled",
  "timed_out",
  "silent",
  "no_result",
  "workspace_gone",
  "bootstrap_failed",
  "policy",
  "disk",
] as const;
export const outcome = z.enum(OUTCOMES);
export type OutcomeKind = z.output<typeof outcome>;

export const CAUSES = [
  "transient",
  "rate_limited",
  "auth",
  "config",
  "context_overflow",
  "crash",
  "unknown",
] as const;
export const cause = z.enum(CAUSES);
export type Cause = z.output<typeof cause>;

const tokens = z.int().nonnegative().nullable();

/** Tokens of one iteration. `null` and an absent `usage` mean unknown, never zero. */
export const usage = z.object({
  input_tokens: tokens,
  cached_input_tokens: tokens,
  output_tokens: tokens,
  reasoning_tokens: tokens,
  model: z.string().nullable(),
  /** What the raw numbers counted before they were normalised to this iteration. */
  basis: z.enum(["invocation", "session_total", "last_step", "unknown"]),
});
export type Usage = z.output<typeof usage>;

export const exit = z.object({ code: z.int().nullable(), signal: z.string().nullable() });

/** A process that an agent left behind, or that outlived a stop. */
export const leftover = z.object({
  pid: z.int().positive(),
  command: z.string(),
  ports: z.array(z.int()).default([]),
  ended: z.boolean(),
});
export type Leftover = z.output<typeof leftover>;

/** Git before and after, as counts and digests; the list of files stays in `changes.json`. */
export const changeSummary = z.object({
  head_before: z.string().nullable(),
  head_after: z.string().nullable(),
  branch_before: z.string().nullable(),
  branch_after: z.string().nullable(),
  tree_digest_before: treeDigest.nullable(),
  tree_digest: treeDigest.nullable(),
  files_changed: z.int().nonnegative(),
  insertions: z.int().nonnegative(),
  deletions: z.int().nonnegative(),
});
export type ChangeSummary = z.output<typeof changeSummary>;

/** `result.json`, written last and durably: its presence means that the attempt finished. */
export const result = z.object({
  schema_version: schemaVersion,
  session_id: sessionId,
  iteration: z.int().positive(),
  workflow_id: slug,
  attempt_id: attemptId,
  outcome,
  cause: cause.optional(),
  /** One line of evidence for the outcome: what was seen, from which typed source. */
  evidence: z.string().max(2000).optional(),
  /** The agent run ended by itself with a result. */
  orderly: z.boolean(),
  /** The agent program was really started (`process.json` not withdrawn, exec succeeded). */
  started: z.boolean(),
  denials: z.int().nonnegative(),
  text: z.string().max(TEXT_LIMIT),
  agent: z.string(),
  agent_version: z.string().nullable(),
  agent_session_id: z.string().nullable(),
  exit,
  usage: usage.nullable(),
  cost_usd: z.number().nonnegative().nullable(),
  /** When the account may be used again, for `rate_limited`. */
  reset_at: timestamp.nullable().default(null),
  started_at: timestamp,
  finished_at: timestamp,
  duration_ms: z.int().nonnegative(),
  report: reportDocument,
  goal_check: goalCheckDocument,
  control: controlDocument,
  child_requests: z.array(childRequestDocument).max(32),
  changes: changeSummary.nullable(),
  leftovers: z.array(leftover).max(64),
});
export type Result = z.output<typeof result>;
