import { homedir } from "node:os";
import { basename, dirname } from "node:path";
import { goalFile } from "@loopwright/protocol";
import { timestamp } from "../../seams/clock.ts";
import { errorCode } from "../../store/disk-error.ts";
import { writeDurable } from "../../store/durable-write.ts";
import { goalLayout, type RuntimeLayout } from "../../store/layout.ts";
import { readJsonIfPresent } from "../../store/read.ts";
import { readActivation, renderGoalFile } from "../goal-activation.ts";
import { type ArchiveFile, archiveFileIn } from "./archive-file.ts";
import { logMove, removePartials, tidyArchive } from "./archive-log.ts";
import { holdGoal } from "./goal-hold.ts";
import { moveDirectory, removeSuperseded } from "./move-directory.ts";
import { type ArchivePayload, createChecks } from "./payload.ts";
import { type ArchivePlan, planArchive } from "./plan-archive.ts";
import type { ArchiveSeams } from "./seams.ts";
import { listTree } from "./tree.ts";

export interface ArchiveRequest {
  readonly registryPath: string;
  /** `--runtime-root`. */
  readonly runtimeRootOverride?: string | null;
  readonly goalId: string;
  /** Where to put it instead of `<runtime root>/archived-goals`. Absolute, or with `~`. */
  readonly archiveRoot?: string | null;
  /** The exact place, as a dry run has shown it. Absolute. */
  readonly archivePath?: string | null;
  readonly allowRegistered: boolean;
  /** False: says what would happen and changes nothing. */
  readonly execute: boolean;
  readonly home?: string;
}

/**
 * Moves a goal's directory out of the way, with all that is in it. What is refused is said in the payload and changes
 * nothing. A crash leaves the goal in one of the two places, or in both of which the next call finishes the move.
 * Throws what the disk refuses, LOCK_HELD when somebody takes the goal in between, and STATE_MOVED when something
 * writes there while it is copied.
 */
export async function archiveRuntimeGoal(
  seams: ArchiveSeams,
  request: ArchiveRequest,
): Promise<ArchivePayload> {
  const checks = createChecks();
  const plan = planArchive(seams, { home: homedir(), ...request }, checks);
  const payload: ArchivePayload = {
    ok: plan.ready !== undefined,
    goal_id: request.goalId,
    registry: request.registryPath,
    runtime_root: plan.runtimeRoot,
    registry_member: plan.registryMember,
    source: plan.source,
    archive_root: plan.archiveRoot,
    archive_path: plan.archivePath,
    dry_run: !request.execute,
    archived: false,
    action: "would-move",
    checks: checks.checks,
  };
  if (plan.ready === undefined || !request.execute) return payload;
  execute(seams, request, plan, plan.ready);
  return { ...payload, archived: true, action: "moved" };
}

function execute(
  seams: ArchiveSeams,
  request: ArchiveRequest,
  plan: ArchivePlan,
  { runtime, unfinished, staleCopy }: NonNullable<ArchivePlan["ready"]>,
): void {
  const { disk } = seams;
  const hold = holdGoal(seams, goalLayout(plan.source), request.goalId);
  let place = plan.source;
  try {
    if (staleCopy !== undefined) removeSuperseded(disk, staleCopy);
    const file = unfinished ?? describe(seams, request, plan);
    if (unfinished === undefined) {
      removePartials(seams, runtime, request.goalId);
      // A crash from here on leaves a file in the goal that nobody minds while the place that it names is empty.
      writeDurable(disk, archiveFileIn(plan.source), `${JSON.stringify(file, null, 2)}\n`);
      if (!isUsualPlace(runtime, file)) logMove(seams, runtime, "archiving", file);
      moveDirectory(disk, plan.source, plan.archivePath);
    } else removeSuperseded(disk, plan.source);
    place = plan.archivePath;
    settle(seams, runtime, place, file);
  } finally {
    hold.releaseAt(place);
  }
}

/** Where a look into the directory finds it; elsewhere the log has to know before it is there. */
function isUsualPlace(
  runtime: RuntimeLayout,
  { goal_id: id, archive_path: path }: ArchiveFile,
): boolean {
  return dirname(path) === runtime.archivedGoals && basename(path).startsWith(`${id}-`);
}

/** The goal is archived already; a crash in here costs a word that nobody depends on. */
function settle(
  seams: ArchiveSeams,
  runtime: RuntimeLayout,
  place: string,
  file: ArchiveFile,
): void {
  const { goalJson } = goalLayout(place);
  const record = readJsonIfPresent(goalJson, goalFile);
  if (record !== undefined) {
    const activation = { state: "archived" as const, reason: "", updated_at: file.at };
    writeDurable(seams.disk, goalJson, renderGoalFile({ ...record, activation }));
  }
  try {
    seams.disk.unlink(runtime.projection(file.goal_id));
  } catch (error) {
    // It was derived from what is gone now; usually there is none.
    if (errorCode(error) === undefined) throw error;
  }
  logMove(seams, runtime, "archived", file);
  tidyArchive(seams, runtime);
}

function describe(seams: ArchiveSeams, request: ArchiveRequest, plan: ArchivePlan): ArchiveFile {
  return {
    schema_version: 1,
    archive_id: seams.ids.next(),
    goal_id: request.goalId,
    state: "archiving",
    registry: request.registryPath,
    registry_member: plan.registryMember,
    runtime_root: plan.runtimeRoot ?? "",
    source: plan.source,
    archive_path: plan.archivePath,
    at: timestamp(seams.clock),
    activation_before: readActivation(goalLayout(plan.source))?.state ?? null,
    left_behind: listTree(plan.source).flatMap(({ path, kind }) =>
      kind === "special" ? [path] : [],
    ),
  };
}
