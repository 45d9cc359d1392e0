import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { goalId as goalIdSchema, LoopwrightError } from "@loopwright/protocol";
import type { RuntimeLayout } from "../../store/layout.ts";
import { type ArchiveFile, readArchiveFile } from "./archive-file.ts";
import { archiveFileOf, entries, readLog } from "./archive-log.ts";

export interface ArchivedGoal {
  /** Of its directory: what `archive restore` takes. */
  readonly name: string;
  readonly path: string;
  readonly goal_id: string;
  /** When; from the name where nothing else says it. Null: not known. */
  readonly at: string | null;
  readonly file: ArchiveFile | undefined;
  /** A move that was cut off left the goal in two places; this is the one that counts. */
  readonly unfinished: boolean;
}

/**
 * All archived goals of a runtime root, or those of one goal, oldest first, and what in the archive can't be read. Of one
 * goal, only directories that can be its are opened.
 */
export function listArchives(
  runtime: RuntimeLayout,
  goalId?: string,
): {
  archives: ArchivedGoal[];
  bad: { path: string; reason: string }[];
} {
  const paths = new Set([
    ...entries(runtime.archivedGoals)
      .filter((name) => !name.startsWith(".") && name.startsWith(goalId ?? ""))
      .map((name) => join(runtime.archivedGoals, name)),
    ...readLog(runtime)
      .filter((row) => goalId === undefined || row.goal_id === goalId)
      .map((row) => row.archive_path),
  ]);
  const archives: ArchivedGoal[] = [];
  const bad: { path: string; reason: string }[] = [];
  for (const path of paths) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    try {
      const archived = describe(runtime, path, readArchiveFile(path));
      if (archived !== undefined && archived.goal_id === (goalId ?? archived.goal_id)) {
        archives.push(archived);
      }
    } catch (error) {
      if (!(error instanceof LoopwrightError)) throw error;
      bad.push({ path, reason: error.message });
    }
  }
  archives.sort((a, b) => (a.at ?? "").localeCompare(b.at ?? "") || a.name.localeCompare(b.name));
  return { archives, bad };
}

/** Undefined for a directory that is no archived goal, and for one that a restore has left behind. */
function describe(
  runtime: RuntimeLayout,
  path: string,
  file: ArchiveFile | undefined,
): ArchivedGoal | undefined {
  const name = basename(path);
  if (file === undefined) {
    const id = /^(.+)-\d{8}T\d{6}Z(?:-\d{1,4})?$/.exec(name)?.[1];
    if (id === undefined || !goalIdSchema.safeParse(id).success) return undefined;
    return { name, path, goal_id: id, at: stampOf(name), file, unfinished: false };
  }
  const other = archiveFileOf(join(runtime.goals, file.goal_id));
  const twice = other?.archive_id === file.archive_id;
  if (twice && other.state === "restoring") return undefined;
  return { name, path, goal_id: file.goal_id, at: file.at, file, unfinished: twice };
}

function stampOf(name: string): string | null {
  const [, y, mo, d, h, mi, s] =
    /-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d+)?$/.exec(name) ?? [];
  return y === undefined ? null : `${y}-${mo}-${d}T${h}:${mi}:${s}.000Z`;
}
