import { z } from "zod";
import { explanation } from "./facts.ts";
import { processIdentity } from "./identity.ts";
import {
  attemptId,
  goalId,
  inputId,
  schemaVersion,
  sessionId,
  sha256,
  slug,
  timestamp,
  treeDigest,
} from "./primitives.ts";
import { diagnosis, receiptSummary, verificationKind } from "./records.ts";
import { cause, outcome } from "./result.ts";
import { sessionLimits } from "./rules.ts";
import { pauseReason, sessionStatus, stopMode, stopReason } from "./stop.ts";

const count = z.int().nonnegative();

/** Counters of one workflow. Iteration numbers are 1-based; null is never. */
export const workflowCounters = z.object({
  starts: count,
  last_start: z.int().positive().nullable(),
  successes: count,
  last_success: z.int().positive().nullable(),
  /** Counts towards the cap and spaces out `run_every`; zero after a success. */
  failures_in_row: count,
  /** Abandonments in a row after the agent had started. */
  crashes_in_row: count,
  benched: z.boolean(),
  /** Digest of the request that the last success consumed. */
  consumed_request: sha256.nullable(),
  /** Successes of `run_after_successes.workflow` since this workflow's own last success. */
  followed_successes: count,
  /** The workflow of `must_follow` has succeeded after this one's own last success. */
  follow_due: z.boolean(),
  /** The dearest known iteration, for limits that hold before the launch. */
  dearest: z.object({ tokens: count, cost_usd: z.number().nonnegative(), live_ms: count }),
});
export type WorkflowCounters = z.output<typeof workflowCounters>;

export const liveTask = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("workflow"),
    workflow_id: slug,
    iteration: z.int().positive(),
    attempt_id: attemptId,
    directory: z.string(),
    inputs: z.array(inputId),
    request: sha256.nullable(),
    epoch: count,
    started_at: timestamp,
  }),
  z.object({
    kind: z.literal("verification"),
    verification: verificationKind,
    iteration: count,
    number: z.int().positive(),
    attempt_id: attemptId,
    directory: z.string(),
    epoch: count,
    started_at: timestamp,
  }),
]);
export type LiveTask = z.output<typeof liveTask>;

/** `null` in `tokens` or `cost_usd` never occurs: what is unknown is counted in `unknown_*` instead. */
export const spending = z.object({
  tokens: count,
  input_tokens: count,
  cached_input_tokens: count,
  output_tokens: count,
  reasoning_tokens: count,
  cost_usd: z.number().nonnegative(),
  unknown_tokens: count,
  unknown_cost: count,
  /** Monotonic milliseconds with a task live. */
  live_ms: count,
});
export type Spending = z.output<typeof spending>;

export const pendingInput = z.object({
  id: inputId,
  text: z.string(),
  at: timestamp,
  delivered: z.array(z.int().positive()),
});

/** `state.json`: the fold of the journal, for readers. Bounded: nothing in it grows with the number of iterations. */
export const stateFile = z.object({
  schema_version: schemaVersion,
  session_id: sessionId,
  goal_id: goalId,
  /** The journal line that this is true for. */
  seq: count,
  epoch: count,
  updated_at: timestamp,
  started_at: timestamp,
  workflow_set: slug,
  status: sessionStatus,
  stop_reason: stopReason.nullable(),
  stop_detail: z.string().nullable(),
  verified: z.boolean().nullable(),
  paused: z.object({ reason: pauseReason, detail: z.string(), at: timestamp }).nullable(),
  stop_requested: z.object({ mode: stopMode, at: timestamp }).nullable(),
  /** Completed and abandoned iterations. The next one is number `iterations + 1`. */
  iterations: count,
  limits: sessionLimits,
  spent: spending,
  task: liveTask.nullable(),
  seat: processIdentity.nullable(),
  workflows: z.record(slug, workflowCounters),
  /** An accepted `goal_met` that waits for its verdict. */
  claim: z
    .object({ iteration: z.int().positive(), workflow_id: slug, reason: z.string() })
    .nullable(),
  baseline: z.enum(["none", "pending", "red", "green", "error", "allowed_green"]),
  /** Checks that were red in a baseline of this goal with the same hash: they can go from red to green. */
  red_checks: z.array(slug),
  gate: z.object({
    errors_in_row: count,
    /** Why the last verification couldn't be made; null where it could. */
    problem: z.string().nullable(),
    /** Refusals in a row on one tree. */
    refused: z.object({ tree_digest: treeDigest, times: count }).nullable(),
    refused_controls_in_row: count,
    verifications: count,
    last: z
      .object({
        kind: verificationKind,
        directory: z.string(),
        at: timestamp,
        receipt: receiptSummary,
      })
      .nullable(),
    /** Receipts without error since the last agent was assigned, newest first, at most 16: what may be reused. */
    receipts: z.array(z.object({ directory: z.string(), receipt: receiptSummary })),
  }),
  progress: z.object({
    /** Iterations that count, without progress, in a row. */
    without: count,
    /** Passing required checks at best. */
    best_passing: count,
  }),
  diagnosis: z.array(diagnosis),
  inputs: z.array(pendingInput),
  questions: z.array(
    z.object({
      id: inputId,
      text: z.string(),
      options: z.array(z.string()),
      default: z.string().optional(),
      blocking: z.boolean(),
      iteration: z.int(),
    }),
  ),
  /** The last finished or abandoned iteration. */
  last: z
    .object({
      iteration: z.int().positive(),
      workflow_id: slug,
      outcome: z.union([outcome, z.literal("abandoned")]),
      cause: cause.nullable(),
      succeeded: z.boolean(),
      summary: z.string(),
      recommended_action: z.string().nullable(),
      tree_digest: treeDigest.nullable(),
      at: timestamp,
    })
    .nullable(),
  explanation: explanation.nullable(),
});
export type StateFile = z.output<typeof stateFile>;
