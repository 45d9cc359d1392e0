import { z } from "zod";
import { processIdentity } from "./identity.ts";
import { attemptId, inputId, schemaVersion, sessionId, timestamp } from "./primitives.ts";

/** `inputs/<id>.json`: guidance, written once by the CLI or the API. */
export const inputFile = z.object({
  schema_version: schemaVersion,
  id: inputId,
  text: z.string().min(1).max(65_536),
  at: timestamp,
});
export type InputFile = z.output<typeof inputFile>;

/** `coordinator.json`: how to reach the coordinator that holds the session. 0600: it carries the tokens. */
export const discoveryFile = z.object({
  schema_version: schemaVersion,
  session_id: sessionId,
  url: z.url(),
  worker_token: z.string().min(32),
  people_token: z.string().min(32),
  identity: processIdentity,
  epoch: z.int().nonnegative(),
  program_version: z.string(),
});
export type DiscoveryFile = z.output<typeof discoveryFile>;

/** `cancel.json` in an iteration's or a verification's directory. */
export const cancelFile = z.object({
  schema_version: schemaVersion,
  attempt_id: attemptId,
  mode: z.enum(["now", "kill"]),
});

/** `recovery.json`: what recovery did with an attempt whose worker had died. */
export const recoveryFile = z.object({
  schema_version: schemaVersion,
  attempt_id: attemptId,
  action: z.enum(["recovered_result", "withdrawn", "adopted", "abandoned"]),
  reason: z.string(),
  ended: z.array(z.object({ pid: z.int(), command: z.string() })),
  survivors: z.array(z.object({ pid: z.int(), command: z.string() })),
  at: timestamp,
});
export type RecoveryFile = z.output<typeof recoveryFile>;

/** `paths.json`, whose path agents get in `LOOPWRIGHT_PATHS`. All absolute. */
export const pathsFile = z.object({
  schema_version: schemaVersion,
  attempt_id: attemptId,
  session_id: sessionId,
  iteration: z.int().positive(),
  workflow_id: z.string(),
  checkout: z.string(),
  session: z.string(),
  goal: z.string(),
  project_state: z.string(),
  requests: z.string(),
  out: z.string(),
  report: z.string(),
  goal_check: z.string(),
  control: z.string(),
  child_requests: z.string(),
  contract: z.string(),
  prompt: z.string(),
  /** Directories the agent may write; nothing else of the session. */
  writable: z.array(z.string()),
});
export type PathsFile = z.output<typeof pathsFile>;
