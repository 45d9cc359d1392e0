import { z } from "zod";
import { attemptId, inputId, schemaVersion } from "./primitives.ts";

/** The most that is read of one file that an agent wrote. */
export const AGENT_FILE_LIMIT = 256 * 1024;
/** Invalid text is kept, cut here, with the reason. */
export const TEXT_LIMIT = 64 * 1024;

/** `out/report.json`: an iteration's own account. Informs people and the next prompt; decides nothing by itself. */
export const report = z.object({
  schema_version: schemaVersion,
  attempt_id: attemptId,
  summary: z.string().min(1).max(2000),
  recommended_action: z.string().min(1).max(2000).optional(),
  evidence: z
    .array(
      z.object({
        claim: z.string().max(2000),
        command: z.string().max(2000).optional(),
        path: z.string().max(1000).optional(),
      }),
    )
    .max(100)
    .default([]),
  blockers: z.array(z.string().max(2000)).max(50).default([]),
  learned: z.array(z.string().max(2000)).max(50).default([]),
  inputs: z
    .array(
      z.object({
        id: inputId,
        disposition: z.enum(["applied", "planned", "declined"]),
        note: z.string().max(2000).optional(),
      }),
    )
    .max(100)
    .default([]),
  questions: z
    .array(
      z.object({
        id: inputId,
        text: z.string().min(1).max(2000),
        options: z.array(z.string().max(500)).max(20).optional(),
        default: z.string().max(500).optional(),
        blocking: z.boolean(),
      }),
    )
    .max(20)
    .default([]),
  todos_done: z.array(z.string().max(500)).max(100).default([]),
  todos_add: z.array(z.string().max(500)).max(100).default([]),
});
export type Report = z.output<typeof report>;

/** `out/goal_check.json` of an evaluating workflow: evidence about the goal, never a decision. */
export const goalCheck = z.object({
  schema_version: schemaVersion,
  goal_met: z.boolean(),
  reason: z.string().min(1).max(4000),
  evidence: z
    .array(z.union([z.string().max(2000), z.record(z.string(), z.unknown())]))
    .max(100)
    .default([]),
});
export type GoalCheck = z.output<typeof goalCheck>;

/** `out/control.json` of an agent, or `control.json` written by a person: a request to stop. */
export const control = z.object({
  schema_version: schemaVersion,
  attempt_id: attemptId,
  state: z.enum(["running", "stopped"]),
  stop_reason: z.enum(["goal_met", "unresolvable_error"]).nullable().default(null),
  reason: z.string().min(1).max(4000),
  attempted_routes: z.array(z.string().min(1).max(2000)).max(50).default([]),
});
export type Control = z.output<typeof control>;

/** `control.json` of the session, rewritten by the coordinator from the fold; a person may write `{state, reason}`. */
export const controlFile = z.object({
  schema_version: schemaVersion,
  attempt_id: attemptId.nullable().default(null),
  state: z.enum(["running", "stopped"]),
  stop_reason: z.enum(["goal_met", "unresolvable_error"]).nullable().default(null),
  reason: z.string().max(4000).default(""),
  attempted_routes: z.array(z.string().max(2000)).max(50).default([]),
});
export type ControlFile = z.output<typeof controlFile>;

export const childRequest = z.object({
  schema_version: schemaVersion,
  request_id: inputId,
  workflow_set: z.string().min(1).max(64),
  goal: z.string().min(1).max(65_536),
});
export type ChildRequest = z.output<typeof childRequest>;

/**
 * What the worker found in place of one agreed file. `invalid`: it was there but is not what was agreed; its text is
 * kept (cut at 64 KiB) with the reason. Nothing else in `out/` counts.
 */
function agentDocument<T extends z.ZodType>(value: T) {
  return z.discriminatedUnion("state", [
    z.object({ state: z.literal("absent") }),
    z.object({
      state: z.literal("invalid"),
      reason: z.string(),
      text: z.string().max(TEXT_LIMIT).optional(),
    }),
    z.object({ state: z.literal("valid"), value }),
  ]);
}

export const reportDocument = agentDocument(report);
export const goalCheckDocument = agentDocument(goalCheck);
export const controlDocument = agentDocument(control);
export const childRequestDocument = z.object({
  name: z.string().max(200),
  document: agentDocument(childRequest),
});

export type AgentDocument<T> =
  | { state: "absent" }
  | { state: "invalid"; reason: string; text?: string | undefined }
  | { state: "valid"; value: T };
