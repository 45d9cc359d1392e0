import { z } from "zod";
import { controlDocument, goalCheckDocument, reportDocument } from "./agent-documents.ts";
import { decisionFacts, explanation } from "./facts.ts";
import { processIdentity } from "./identity.ts";
import {
  attemptId,
  goalId,
  inputId,
  sessionId,
  sha256,
  slug,
  timestamp,
  treeDigest,
} from "./primitives.ts";
import { cause, changeSummary, exit, leftover, outcome, usage } from "./result.ts";
import { raisableLimit, rules } from "./rules.ts";
import { pauseReason, sessionStatus, stopMode, stopReason } from "./stop.ts";

const count = z.int().nonnegative();
const milliseconds = z.int().nonnegative();

export const checkOutcome = z.enum(["pass", "fail", "error"]);
export type CheckOutcome = z.output<typeof checkOutcome>;

export const verificationKind = z.enum(["baseline", "claim", "advisory", "manual"]);
export type VerificationKind = z.output<typeof verificationKind>;

/** A receipt as the journal keeps it; outputs stay in `evaluations/`. */
export const receiptSummary = z.object({
  tree_digest: treeDigest,
  outcome: checkOutcome,
  checks: z.array(
    z.object({
      id: slug,
      sha256,
      required: z.boolean(),
      outcome: checkOutcome,
      detail: z.string().max(500).optional(),
    }),
  ),
  /** Directory under the session of the receipt that stands for this one (same digest, same checks). */
  reused: z.string().nullable(),
  replaced: count,
});
export type ReceiptSummary = z.output<typeof receiptSummary>;

/** Who did it: a person or program through the CLI or the API, or the engine itself. */
const by = z.string().min(1).max(200);

/** A diagnosis stands in every prompt until the thing that it diagnoses is settled. */
export const diagnosis = z.object({
  kind: z.enum([
    "claim_refused",
    "control_refused",
    "no_progress",
    "report_invalid",
    "goal_check_invalid",
    "child_finished",
    "abandoned",
    /** Only in the prompts of workflows that plan. */
    "drift",
  ]),
  text: z.string().max(4000),
  /** Path under the session with the whole story. */
  path: z.string().optional(),
});
export type Diagnosis = z.output<typeof diagnosis>;

const schemas = {
  session_started: z.object({
    session_id: sessionId,
    goal_id: goalId,
    goal_sha256: sha256,
    session_sha256: sha256,
    workflow_set: slug,
    repository: z.string(),
    base_commit: z.string().nullable(),
    base_tree: treeDigest.nullable(),
    rules,
    /** Checks of this goal that failed in an earlier session's baseline with the same hash, and in which. */
    red_before: z
      .array(z.object({ id: slug, sha256, session_id: sessionId.optional() }))
      .default([]),
    program_version: z.string(),
  }),
  coordinator_started: z.object({
    epoch: count,
    identity: processIdentity,
    program_version: z.string(),
  }),
  worker_seated: z.object({
    identity: processIdentity,
    checkout: z.string(),
    take_over: z.boolean().default(false),
  }),
  baseline_recorded: z.object({
    outcome: z.enum(["red", "green", "error", "allowed_green"]),
    red: z.array(slug),
    vacuous: z.array(slug),
    errors: z.array(slug),
    /** Those of `red` that don't fail here, and the session that saw them fail. Absent: none. */
    red_before: z.array(z.object({ id: slug, session_id: sessionId.optional() })).optional(),
  }),
  task_assigned: z.object({
    workflow_id: slug,
    iteration: z.int().positive(),
    attempt_id: attemptId,
    /** Under the session directory. */
    directory: z.string(),
    inputs: z.array(inputId),
    request: sha256.nullable(),
    diagnosis: z.array(diagnosis),
    facts: decisionFacts,
    explanation,
  }),
  task_finished: z.object({
    workflow_id: slug,
    iteration: z.int().positive(),
    attempt_id: attemptId,
    result_sha256: sha256,
    outcome,
    cause: cause.optional(),
    evidence: z.string().optional(),
    orderly: z.boolean(),
    started: z.boolean(),
    denials: count,
    agent: z.string(),
    agent_session_id: z.string().nullable(),
    exit,
    usage: usage.nullable(),
    cost_usd: z.number().nonnegative().nullable(),
    reset_at: timestamp.nullable(),
    duration_ms: milliseconds,
    /** Monotonic time that the task was live, as the coordinator counted it. */
    live_ms: milliseconds,
    report: reportDocument,
    goal_check: goalCheckDocument,
    control: controlDocument,
    changes: changeSummary.nullable(),
    leftovers: z.array(leftover),
    /** Recorded by recovery from a stored `result.json`. */
    recovered: z.boolean(),
    /** The judgement: orderly, and its promised files are valid. */
    succeeded: z.boolean(),
    /** Why not, one sentence. */
    failure: z.string().optional(),
    /** It counts towards `workflow_failure_cap`. */
    counted: z.boolean(),
    progress: z.enum(["progress", "none", "neutral"]),
  }),
  task_abandoned: z.object({
    kind: z.enum(["workflow", "verification"]),
    workflow_id: slug.nullable(),
    iteration: count,
    attempt_id: attemptId,
    cause: z.literal("crash"),
    reason: z.string(),
    /** The agent had started; three of these in a row of one workflow pause as `crash_loop`. */
    started: z.boolean(),
    live_ms: milliseconds,
  }),
  task_withdrawn: z.object({
    kind: z.enum(["workflow", "verification"]),
    attempt_id: attemptId,
    iteration: count,
    /** Where its directory went. */
    directory: z.string().nullable(),
  }),
  goal_check_recorded: z.object({
    iteration: z.int().positive(),
    workflow_id: slug,
    valid: z.boolean(),
    goal_met: z.boolean().nullable(),
    reason: z.string(),
  }),
  control_accepted: z.object({
    iteration: z.int().positive(),
    workflow_id: slug,
    stop_reason: z.enum(["goal_met", "unresolvable_error"]),
    reason: z.string(),
    attempted_routes: z.array(z.string()),
  }),
  control_refused: z.object({
    iteration: z.int().positive(),
    workflow_id: slug,
    /** `stale` ones name another attempt: journaled, never counted. */
    verdict: z.enum(["refused", "stale"]),
    why: z.string(),
    text: z.string(),
  }),
  verification_started: z.object({
    kind: verificationKind,
    attempt_id: attemptId,
    /** `NNNN-k`: the iteration that it follows, and its count there. */
    iteration: count,
    number: z.int().positive(),
    directory: z.string(),
    facts: decisionFacts.nullable(),
  }),
  verification_finished: z.object({
    kind: verificationKind,
    attempt_id: attemptId,
    iteration: count,
    number: z.int().positive(),
    /** Null where the worker couldn't make one; `problem` says why and it counts as an error. */
    receipt: receiptSummary.nullable(),
    problem: z.string().optional(),
    live_ms: milliseconds,
    cost_usd: z.number().nonnegative().nullable(),
    recovered: z.boolean(),
  }),
  pins_changed: z.object({
    by,
    checks: rules.shape.gate.shape.checks,
    /** Paths that differ from what was pinned before. */
    files: z.array(z.string()),
    /** Of `frozen/<sha256>.json`, which holds all pins from here on. */
    pins_sha256: sha256,
    /** What differs, as text; relative to the session directory. */
    diff_path: z.string().nullable(),
  }),
  input_received: z.object({ id: inputId, text: z.string(), at: timestamp }),
  input_delivered: z.object({
    ids: z.array(inputId),
    attempt_id: attemptId,
    iteration: z.int().positive(),
  }),
  input_disposed: z.object({
    id: inputId,
    iteration: count,
    disposition: z.enum(["applied", "planned", "declined", "withdrawn"]),
    note: z.string().optional(),
  }),
  question_asked: z.object({
    id: inputId,
    iteration: z.int().positive(),
    text: z.string(),
    options: z.array(z.string()).optional(),
    default: z.string().optional(),
    blocking: z.boolean(),
  }),
  question_answered: z.object({ id: inputId, text: z.string(), by }),
  limit_reached: z.object({
    limit: raisableLimit,
    value: z.number(),
    spent: z.number(),
    needed: z.number(),
    workflow_id: slug.nullable(),
  }),
  limit_raised: z.object({
    limit: raisableLimit,
    from: z.number().nullable(),
    to: z.number().nullable(),
    by,
  }),
  paused: z.object({ reason: pauseReason, detail: z.string(), by }),
  resumed: z.object({ by }),
  stop_requested: z.object({ mode: stopMode, by, reason: z.string().optional() }),
  child_started: z.object({
    session_id: sessionId,
    request_id: inputId,
    workflow_set: slug,
    iteration: z.int().positive(),
  }),
  child_finished: z.object({
    session_id: sessionId,
    status: sessionStatus,
    stop_reason: stopReason,
    tree_digest: treeDigest.nullable(),
  }),
  /** After the commit `ACTIVE_STATE.md` is made so, unless it isn't what it was: then it is drift. */
  next_action_moved: z.object({
    /** sha256 of the file before and after. Null: there was none. */
    from_sha256: sha256.nullable(),
    to_sha256: sha256,
    text: z.string(),
    iteration: count,
    by,
    /** What `updated_at` in its front matter becomes. */
    updated_at: timestamp,
  }),
  drift_detected: z.object({
    kind: slug,
    severity: z.enum(["info", "watch", "action"]),
    detail: z.string(),
  }),
  drift_resolved: z.object({
    kind: slug,
    take: z.enum(["state", "run"]),
    note: z.string().optional(),
    by,
  }),
  workflow_benched: z.object({ workflow_id: slug, failures: count, reason: z.string() }),
  /** `session_sha256`: of `frozen/<sha256>.json`, which stands for `session.json` from here on. */
  configuration_reloaded: z.object({
    rules,
    session_sha256: sha256,
    changes: z.array(z.string()),
    by,
  }),
  session_stopped: z.object({
    status: sessionStatus.exclude(["running"]),
    stop_reason: stopReason,
    /** For `goal_met`: whether a verification passed. Null otherwise. */
    verified: z.boolean().nullable(),
    /** One sentence for people. */
    detail: z.string(),
    facts: decisionFacts.nullable(),
    explanation: explanation.nullable(),
  }),
  session_reopened: z.object({ by }),
  journal_repaired: z.object({ offset: count, bytes: count }),
} as const;

export type RecordType = keyof typeof schemas;
export const RECORD_TYPES = Object.keys(schemas) as RecordType[];
export const recordSchemas: { readonly [T in RecordType]: z.ZodType<RecordData<T>> } = schemas;
export type RecordData<T extends RecordType> = z.output<(typeof schemas)[T]>;

/** One entry of a journal line. */
export type JournalRecord = { [T in RecordType]: { type: T; data: RecordData<T> } }[RecordType];
export type JournalRecordOf<T extends RecordType> = { type: T; data: RecordData<T> };

/** One commit: everything in a line is in force together or not at all. See `docs/internals/file-formats.md`. */
export interface JournalLine {
  seq: number;
  at: string;
  epoch: number;
  prev: string;
  records: JournalRecord[];
  sum: string;
}
