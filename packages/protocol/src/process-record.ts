import { z } from "zod";
import { processIdentity } from "./identity.ts";
import { attemptId, schemaVersion, timestamp } from "./primitives.ts";

/**
 * `process.json`, made with O_EXCL by the shim before it starts the agent, or by recovery as a withdrawal: whoever is
 * first wins. Without it the attempt never started.
 */
export const processRecord = z.union([
  z.object({ schema_version: schemaVersion, attempt_id: attemptId, withdrawn: z.literal(true) }),
  processIdentity.extend({
    schema_version: schemaVersion,
    attempt_id: attemptId,
    group: z.int().positive(),
    adapter: z.string(),
    argv_digest: z.string(),
    started_at: timestamp,
  }),
]);
export type ProcessRecord = z.output<typeof processRecord>;

/** `exit.json`, written by the shim when the agent ended, also when the worker is dead. */
export const exitRecord = z.object({
  schema_version: schemaVersion,
  attempt_id: attemptId,
  code: z.int().nullable(),
  signal: z.string().nullable(),
  /** The program couldn't be started. */
  error: z.string().optional(),
  finished_at: timestamp,
});
export type ExitRecord = z.output<typeof exitRecord>;
