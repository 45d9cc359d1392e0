import { goalId, schemaVersion, timestamp } from "@loopwright/protocol";
import { join } from "node:path";
import { z } from "zod";
import { readJsonIfPresent } from "../../store/read.ts";

/**
 * `archive.json`: lies inside of a goal's directory and travels with it, written before each move. Together with where
 * it lies it says what became of a move that was cut off.
 */
export const archiveFile = z.looseObject({
  schema_version: schemaVersion,
  /** The same in both copies while a goal is moved across file systems. */
  archive_id: z.string().min(1),
  goal_id: goalId,
  /** `archiving`: the archive is the newer place of the two. `restoring`: the goals directory is. */
  state: z.enum(["archiving", "restoring"]),
  registry: z.string(),
  registry_member: z.boolean(),
  runtime_root: z.string(),
  source: z.string(),
  archive_path: z.string(),
  /** When it was archived. */
  at: timestamp,
  /** Of the goal's `goal.json` before; null where it has none. */
  activation_before: z.string().nullable(),
  /** Pipes, sockets and devices that a copy leaves behind: they hold nothing. Relative paths. */
  left_behind: z.array(z.string()).default([]),
});
export type ArchiveFile = z.output<typeof archiveFile>;

export function archiveFileIn(directory: string): string {
  return join(directory, "archive.json");
}

/** Throws FILE_INVALID, FILE_UNSAFE or SCHEMA_NEWER. */
export function readArchiveFile(directory: string): ArchiveFile | undefined {
  return readJsonIfPresent(archiveFileIn(directory), archiveFile);
}
