import { z } from "zod";
import { processIdentity } from "./identity.ts";
import { attemptId, schemaVersion, timestamp } from "./primitives.ts";

/**
 * `process.json`: written durably by the shim before it starts the agent. Without it the attempt never started. The
 * identity is the shim's, which leads the group and the session that the agent starts in.
 */
export const processRecord = processIdentity.extend({
  schema_version: schemaVersion,
  attempt_id: attemptId,
  /** Process group and session of the shim and its agent; equal to `pid`. */
  group: z.int().positive(),
  adapter: z.string(),
  /** sha256 of the agent's argv, in hex. */
  argv_digest: z.string(),
  started_at: timestamp,
});
export type ProcessRecord = z.output<typeof processRecord>;

/** What recovery leaves at the path of `process.json` when it was there first: the shim then starts nothing. */
export const withdrawnRecord = z.object({
  schema_version: schemaVersion,
  withdrawn: z.literal(true),
  withdrawn_at: timestamp,
});
export type WithdrawnRecord = z.output<typeof withdrawnRecord>;

export const processFile = z.union([withdrawnRecord, processRecord]);

/**
 * What stood in the way of starting the program. `program`: not found, not executable, arguments too long;
 * `workspace`: no such working directory; `files`: the attempt's own; `disk`: no room for them.
 */
export const START_PROBLEMS = ["program", "workspace", "files", "disk"] as const;

/**
 * `exit.json`: how the agent's own process ended, written durably by the shim, also when nobody waits any more. A
 * death by signal has `code: null`; an exit with 137 has `code: 137`: the two are not the same.
 */
export const exitRecord = z.object({
  schema_version: schemaVersion,
  attempt_id: attemptId,
  code: z.int().nullable(),
  signal: z.string().nullable(),
  finished_at: timestamp,
  /** Set when the program could not be started: one sentence. `code` and `signal` are null then. */
  error: z.string().optional(),
  problem: z.enum(START_PROBLEMS).optional(),
});
export type ExitRecord = z.output<typeof exitRecord>;
