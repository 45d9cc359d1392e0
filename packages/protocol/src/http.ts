import { z } from "zod";
import { agentPermissions } from "./agent-settings.ts";
import { frozenConfiguration } from "./configuration.ts";
import { receipt, pins } from "./check.ts";
import { processIdentity } from "./identity.ts";
import { attemptId, inputId, sessionId, slug, timestamp } from "./primitives.ts";
import { diagnosis, verificationKind } from "./records.ts";
import { result, usage } from "./result.ts";
import { raisableLimit } from "./rules.ts";
import { stateFile } from "./state.ts";
import { sessionStatus, stopMode, stopReason } from "./stop.ts";

export const PROTOCOL = 1;
/** The most that a body may be, in bytes. */
export const BODY_LIMIT = 1024 * 1024;

const agentSettings = frozenConfiguration.shape.agents.valueType.extend({ name: slug });

/** `POST /register`: ask for the seat and the first task. */
export const registerRequest = z.object({
  protocol: z.int(),
  program_version: z.string(),
  worker: processIdentity,
  repo: z.object({ root: z.string(), head: z.string().nullable() }),
  take_over: z.boolean().default(false),
});
export type RegisterRequest = z.output<typeof registerRequest>;

const finishedBase = {
  protocol: z.int(),
  program_version: z.string(),
  worker: processIdentity,
  epoch: z.int().nonnegative(),
};

/** `POST /finished` of an iteration: the fields of `result.json`, as the worker read and wrote them. */
export const finishedIteration = result.extend({
  ...finishedBase,
  result_sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** `POST /finished` of a verification. `receipt` null: it couldn't be made; `problem` says why. */
export const finishedVerification = z.object({
  ...finishedBase,
  session_id: sessionId,
  attempt_id: attemptId,
  receipt: receipt.nullable(),
  problem: z.string().max(2000).optional(),
});

/** `POST /finished` of a task that was withdrawn before its agent started: the shim found `{withdrawn: true}`. */
export const finishedRequest = z.union([finishedVerification, finishedIteration]);
export type FinishedIteration = z.output<typeof finishedIteration>;
export type FinishedVerification = z.output<typeof finishedVerification>;
export type FinishedRequest = z.output<typeof finishedRequest>;

const taskBase = {
  action: z.literal("run"),
  session_id: sessionId,
  attempt_id: attemptId,
  epoch: z.int().nonnegative(),
  session_dir: z.string(),
  /** Absolute: `iterations/<NNNN>_<workflow>` or `evaluations/<NNNN>-<k>`. */
  task_dir: z.string(),
  checkout: z.string(),
  /** An agent of this attempt was started by a worker that died: don't start it, wait for it. */
  adopt: z.boolean().default(false),
};

export const workflowTask = z.object({
  ...taskBase,
  kind: z.literal("workflow"),
  workflow_set: slug,
  workflow_id: slug,
  iteration: z.int().positive(),
  goal: z.string(),
  preamble: z.string(),
  prompt_body: z.string(),
  completion_criteria: z.array(z.string()),
  stop_criteria: z.array(z.string()),
  emits_goal_check: z.boolean(),
  may_complete: z.boolean(),
  plans: z.boolean(),
  agent: agentSettings,
  permissions: agentPermissions,
  limits: z.object({
    timeout_ms: z.int().positive(),
    silence_ms: z.int().positive(),
    raw_log_cap: z.int().positive(),
  }),
  inputs: z.array(z.object({ id: inputId, text: z.string(), at: timestamp })),
  diagnosis: z.array(diagnosis),
  /** The agent session that it goes on with, and what that has used so far. Absent: it begins anew. */
  resume: z
    .object({
      id: z.string(),
      usage: usage.nullable(),
      costUsd: z.number().nonnegative().nullable(),
    })
    .optional(),
  /** For a workflow that plans: where the plan stands. */
  plan: z
    .object({
      /** `ACTIVE_STATE.md`. */
      path: z.string(),
      next_action: z.string().nullable(),
      /** The last iteration's own account. */
      last: z
        .object({
          iteration: z.int().positive(),
          workflow_id: slug,
          succeeded: z.boolean(),
          summary: z.string(),
          recommended_action: z.string().nullable(),
          /** Of its `report.json`. */
          report: z.string(),
        })
        .nullable(),
    })
    .optional(),
});
export type WorkflowTask = z.output<typeof workflowTask>;

export const verificationTask = z.object({
  ...taskBase,
  /** `baseline` is the verification of kind baseline; every other kind arrives as `verification`. */
  kind: z.enum(["verification", "baseline"]),
  verification: verificationKind,
  /** Commit that the session began at: a repository without it is another one. */
  base_commit: z.string().nullable().default(null),
  pins,
  /** Receipts that may stand for this one, if the tree digest that the worker measures is theirs. */
  reuse: z.array(z.object({ directory: z.string(), receipt })),
  protect: z.array(z.string()),
  checks_directory: z.string(),
});
export type VerificationTask = z.output<typeof verificationTask>;

export const stopAnswer = z.object({
  action: z.literal("stop"),
  session_id: sessionId,
  status: sessionStatus,
  stop_reason: stopReason.nullable(),
});

export const workerAnswer = z.union([workflowTask, verificationTask, stopAnswer]);
export type WorkerAnswer = z.output<typeof workerAnswer>;
export type Task = WorkflowTask | VerificationTask;
export type StopAnswer = z.output<typeof stopAnswer>;

/** `application/problem+json`. `code` is one of the error table. */
export const problemBody = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  hint: z.string().optional(),
  /** Path of each bad field of a 422. */
  fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** 409: who holds it and where it is. */
  holder: processIdentity.optional(),
  iteration: z.int().optional(),
  /** 409 of an `expected_seq`: how the session stands now. */
  state: stateFile.optional(),
});
export type ProblemBody = z.output<typeof problemBody>;

/** Bodies of `POST /goals/:id/…`. `expected_seq`: refused with 409 and the new state if the journal went on. */
const write = {
  expected_seq: z.int().nonnegative().optional(),
  by: z.string().min(1).max(200).default("user"),
};
export const stopBody = z.strictObject({
  ...write,
  mode: stopMode.default("graceful"),
  reason: z.string().max(2000).optional(),
});
export const pauseBody = z.strictObject({ ...write, reason: z.string().max(2000).default("") });
export const resumeBody = z.strictObject({
  ...write,
  /** New values of limits, or additions to them. */
  raise: z
    .array(
      z.strictObject({
        limit: raisableLimit,
        add: z.number().positive().optional(),
        to: z.number().positive().optional(),
      }),
    )
    .default([]),
});
export const updateBody = z.strictObject({ ...write, text: z.string().min(1).max(65_536) });
/** Answers a question that an agent has asked. `question`: its id. */
export const answerBody = z.strictObject({
  ...write,
  question: inputId,
  text: z.string().min(1).max(65_536),
});
/** Takes guidance back that no prompt should carry any more. Its id stands in the path. */
export const withdrawBody = z.strictObject({ ...write, input: inputId });
/** Settles a mismatch between the next action and what a run recommends, or moves the next action. */
export const resolveBody = z.strictObject({
  ...write,
  /** `run`: what it recommends becomes the next action. `state`: the next action stands, or becomes `next_action`. */
  take: z.enum(["state", "run"]),
  next_action: z.string().min(1).max(4000).optional(),
  note: z.string().max(2000).optional(),
});
export type ResolveBody = z.output<typeof resolveBody>;
/** What people and programs ask of a goal: `POST /goals/:id/<name>`, and `/goals/:id/inputs/:input/withdraw`. */
export const WRITE_BODIES = {
  stop: stopBody,
  pause: pauseBody,
  resume: resumeBody,
  update: updateBody,
  answer: answerBody,
  withdraw: withdrawBody,
  resolve: resolveBody,
};
export type WriteName = keyof typeof WRITE_BODIES;
export type WriteBody<N extends WriteName> = z.output<(typeof WRITE_BODIES)[N]>;
export const checkBody = z.strictObject({ ...write, receipt, repin: z.boolean().default(false) });

/** Answer to a write: the journal line that made it so. */
export const writeAnswer = z.object({ seq: z.int().nonnegative(), id: inputId.optional() });
