import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { timestamp } from "../../seams/clock.ts";
import type { RuntimeLayout } from "../../store/layout.ts";
import { appendRow, readRows } from "../../store/line-file.ts";
import { type ArchiveFile, readArchiveFile } from "./archive-file.ts";
import { partialOf } from "./move-directory.ts";
import { removeTree } from "./remove-tree.ts";
import type { ArchiveSeams } from "./seams.ts";

const logRow = z.object({
  at: z.string(),
  event: z.enum(["archiving", "archived", "restored"]),
  goal_id: z.string(),
  archive_id: z.string(),
  source: z.string(),
  archive_path: z.string(),
});
export type LogRow = z.output<typeof logRow>;

/**
 * `archive-log.jsonl`: what was moved, for people, and where else than in `archived-goals` to look. What lies in the
 * directories is what counts; rows that a crash prevented are appended by the next move.
 */
export function logMove(
  { disk, clock }: ArchiveSeams,
  runtime: RuntimeLayout,
  event: LogRow["event"],
  { goal_id, archive_id, source, archive_path }: ArchiveFile,
): void {
  const row: LogRow = {
    at: timestamp(clock),
    event,
    goal_id,
    archive_id,
    source,
    archive_path,
  };
  appendRow(disk, runtime.archiveLog, row);
}

export function readLog(runtime: RuntimeLayout): LogRow[] {
  return readRows(runtime.archiveLog).rows.flatMap((row) => {
    const parsed = logRow.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
}

/** Rows for archived goals that the log doesn't know, and the end of removals that were cut off. */
export function tidyArchive(seams: ArchiveSeams, runtime: RuntimeLayout): void {
  for (const directory of [runtime.goals, runtime.archivedGoals, ...otherRoots(runtime)]) {
    for (const name of entries(directory)) {
      if (name.startsWith(".removed-")) removeTree(seams.disk, join(directory, name));
    }
  }
  const known = new Set(
    readLog(runtime).flatMap(({ event, archive_id: id }) => (event === "archived" ? [id] : [])),
  );
  for (const name of entries(runtime.archivedGoals)) {
    if (name.startsWith(".")) continue;
    const file = archiveFileOf(join(runtime.archivedGoals, name));
    if (file !== undefined && !known.has(file.archive_id)) {
      logMove(seams, runtime, "archived", file);
    }
  }
}

/** Half-made copies of this goal. The caller holds the goal, so nobody is making one. */
export function removePartials(seams: ArchiveSeams, runtime: RuntimeLayout, goalId: string): void {
  const stale = new Set<string>();
  for (const { goal_id, archive_path } of readLog(runtime)) {
    if (goal_id === goalId) stale.add(partialOf(archive_path));
  }
  const prefix = `.partial-${goalId}-`;
  for (const name of entries(runtime.archivedGoals)) {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    if (STAMP.test(rest)) stale.add(join(runtime.archivedGoals, name));
  }
  for (const path of stale) removeTree(seams.disk, path);
}

/** What follows a goal's id in the name of its archive. */
export const STAMP = /^\d{8}T\d{6}Z(?:-\d{1,4})?$/;

/** Directories outside of the runtime root that something was archived to. */
function otherRoots(runtime: RuntimeLayout): string[] {
  const roots = new Set(readLog(runtime).map(({ archive_path }) => dirname(archive_path)));
  roots.delete(runtime.archivedGoals);
  return [...roots];
}

/** What can't be read is left for `archive list` to tell. */
export function archiveFileOf(directory: string): ArchiveFile | undefined {
  try {
    return readArchiveFile(directory);
  } catch {
    return undefined;
  }
}

export function entries(directory: string): string[] {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  return found?.isDirectory() === true ? readdirSync(directory).sort() : [];
}
