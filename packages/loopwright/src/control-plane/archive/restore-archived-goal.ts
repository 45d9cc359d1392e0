import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import { goalFile } from "@loopwright/protocol";
import { timestamp } from "../../seams/clock.ts";
import { diskError } from "../../store/disk-error.ts";
import { writeDurable } from "../../store/durable-write.ts";
import { goalLayout, type RuntimeLayout, runtimeLayout } from "../../store/layout.ts";
import { readJsonIfPresent } from "../../store/read.ts";
import { renderGoalFile } from "../goal-activation.ts";
import { loadRegistry } from "../registry.ts";
import { resolveRuntimeRoot } from "../runtime-root.ts";
import { type ArchiveFile, archiveFileIn, readArchiveFile } from "./archive-file.ts";
import { logMove, tidyArchive } from "./archive-log.ts";
import { findArchive } from "./find-archive.ts";
import { holdGoal } from "./goal-hold.ts";
import type { ArchivedGoal } from "./list-archives.ts";
import { liveUse } from "./live-uses.ts";
import { moveDirectory, removeSuperseded } from "./move-directory.ts";
import { createChecks, type RestorePayload } from "./payload.ts";
import { placeForRestored, type RestoredPlace } from "./restored-place.ts";
import type { ArchiveSeams } from "./seams.ts";

export interface RestoreRequest {
  readonly registryPath: string;
  /** `--runtime-root`. */
  readonly runtimeRootOverride?: string | null;
  /** The name of the archive, its path, or the goal's id where that is the only one. */
  readonly name: string;
  readonly execute: boolean;
  readonly home?: string;
}

/** Moves an archived goal back among the goals. Says and keeps the same as `archiveRuntimeGoal`. */
export async function restoreArchivedGoal(
  seams: ArchiveSeams,
  request: RestoreRequest,
): Promise<RestorePayload> {
  const { attempt, checks } = createChecks();
  const { registryPath, name, execute } = request;
  const registry = attempt("registry", () => ({
    value: loadRegistry(registryPath),
    detail: `${registryPath} is a registry`,
  }));
  const runtimeRoot =
    registry === undefined
      ? null
      : resolveRuntimeRoot(registry, {
          override: request.runtimeRootOverride,
          registryPath,
          home: request.home ?? homedir(),
        });
  const runtime = runtimeRoot === null ? undefined : runtimeLayout(runtimeRoot);
  const archived =
    runtime &&
    attempt("archive", () => {
      const value = findArchive(runtime, name);
      return { value, detail: `${value.path} is an archived goal` };
    });
  const idle =
    archived &&
    attempt("not_in_use", () => {
      const use = liveUse(seams, goalLayout(archived.path));
      if (use !== undefined) throw use;
      return { value: true, detail: "nothing of it runs" };
    });
  const place =
    runtime &&
    archived &&
    (idle === undefined
      ? undefined
      : attempt("destination", () => placeForRestored(seams, runtime, archived)));
  const payload: RestorePayload = {
    ok: place !== undefined,
    goal_id: archived?.goal_id ?? "",
    registry: registryPath,
    runtime_root: runtimeRoot,
    registry_member: registry?.goals.some(({ id }) => id === archived?.goal_id) ?? false,
    source: archived?.path ?? "",
    restored_path: place?.path ?? "",
    dry_run: !execute,
    restored: false,
    action: "would-move",
    checks,
  };
  if (!runtime || !archived || !place || !execute) return payload;
  move(seams, runtime, archived, place);
  return { ...payload, restored: true, action: "moved" };
}

function move(
  seams: ArchiveSeams,
  runtime: RuntimeLayout,
  archived: ArchivedGoal,
  { path, twin }: RestoredPlace,
): void {
  const { disk } = seams;
  const hold = holdGoal(seams, goalLayout(archived.path), archived.goal_id);
  let at = archived.path;
  try {
    const file = readArchiveFile(archived.path) ?? describe(seams, runtime, archived, path);
    if (twin === "newer") removeSuperseded(disk, archived.path);
    else {
      if (twin === "older" || twin === "husk") removeSuperseded(disk, path);
      activate(seams, archived.path, file);
      // From here on the goals directory is the one that counts as soon as the goal lies there.
      const restoring: ArchiveFile = { ...file, state: "restoring" };
      writeDurable(disk, archiveFileIn(archived.path), `${JSON.stringify(restoring, null, 2)}\n`);
      moveDirectory(disk, archived.path, path);
    }
    at = path;
    const left = archiveFileIn(path);
    if (lstatSync(left, { throwIfNoEntry: false }) !== undefined) unlink(seams, left);
    logMove(seams, runtime, "restored", { ...file, archive_path: archived.path });
    tidyArchive(seams, runtime);
  } finally {
    hold.releaseAt(at);
  }
}

/** Before the move, so that a goal that lies among the goals is never called archived. */
function activate({ disk, clock }: ArchiveSeams, directory: string, file: ArchiveFile): void {
  const { goalJson } = goalLayout(directory);
  const record = readJsonIfPresent(goalJson, goalFile);
  if (record === undefined || record.activation.state !== "archived") return;
  const state = file.activation_before === "disabled" ? "disabled" : "active";
  const activation = { state, reason: "", updated_at: timestamp(clock) } as const;
  writeDurable(disk, goalJson, renderGoalFile({ ...record, activation }));
}

function unlink({ disk }: ArchiveSeams, path: string): void {
  try {
    disk.unlink(path);
  } catch (error) {
    throw diskError(error, path);
  }
}

/** For an archive that another program made. */
function describe(
  seams: ArchiveSeams,
  runtime: RuntimeLayout,
  archived: ArchivedGoal,
  path: string,
): ArchiveFile {
  return {
    schema_version: 1,
    archive_id: seams.ids.next(),
    goal_id: archived.goal_id,
    state: "archiving",
    registry: "",
    registry_member: false,
    runtime_root: runtime.root,
    source: path,
    archive_path: archived.path,
    at: archived.at ?? timestamp(seams.clock),
    activation_before: null,
    left_behind: [],
  };
}
