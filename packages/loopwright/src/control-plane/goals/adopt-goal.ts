import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { goalFile, LoopwrightError, type RegistryFile } from "@loopwright/protocol";
import { timestamp } from "../../seams/clock.ts";
import { type GoalLayout, runtimeLayout } from "../../store/layout.ts";
import { readJsonIfPresent } from "../../store/read.ts";
import { refuseArchived } from "../archive/schedulable.ts";
import { liveUse } from "../archive/live-uses.ts";
import type { ArchiveSeams } from "../archive/seams.ts";
import { changeRegistry } from "../change-registry.ts";
import { changeGoalFile } from "../goal-activation.ts";
import { validateGoalId } from "../goal-id.ts";
import { claimGoalId } from "../goal-record.ts";
import { loadRegistry, registryGoal } from "../registry.ts";
import { resolveRuntimeRoot } from "../runtime-root.ts";

export interface Adoption {
  /** Absolute. Lists the goal, or is to. */
  readonly registryPath: string;
  readonly runtimeRootOverride?: string | undefined;
  readonly home: string;
  readonly goalId: string;
  /** Absolute path of where the repository is now. */
  readonly repo: string;
}

export interface Adopted {
  readonly runtimeRoot: string;
  /** What was recorded before; null where nothing was. */
  readonly before: { readonly registry: string; readonly repo: string } | null;
}

/**
 * Ties a goal to this registry and this repository after they were moved. Throws GOAL_ID_TAKEN, naming both registries,
 * while the one that the goal belongs to still lists it; LOCK_HELD and the like while something of the goal runs.
 */
export async function adoptGoal(seams: ArchiveSeams, adoption: Adoption): Promise<Adopted> {
  const { registryPath, repo } = adoption;
  const goalId = validateGoalId(adoption.goalId);
  const registry = loadRegistry(registryPath);
  const runtimeRoot = resolveRuntimeRoot(registry, {
    ...adoption,
    override: adoption.runtimeRootOverride,
  });
  const runtime = runtimeLayout(runtimeRoot);
  const goal = runtime.goal(goalId);
  const before = readJsonIfPresent(goal.goalJson, goalFile);
  if (before === undefined) {
    // Without a record there is nothing to adopt but what this registry lists itself.
    registryGoal(registry, goalId, registryPath);
    refuseArchived(runtime, goalId);
  } else refuseOwned(before.registry, registryPath, goalId);
  const use = liveUse(seams, goal);
  if (use !== undefined) throw use;

  // The record first: after a crash here the same command finds the goal to be its own already and goes on.
  await record(seams, goal, { goalId, registry: realPath(registryPath), repo });
  await changeRegistry(seams, registryPath, (current) => withRepository(current, goalId, repo));
  return {
    runtimeRoot,
    before: before === undefined ? null : { registry: before.registry, repo: before.repo },
  };
}

function refuseOwned(owner: string, registryPath: string, goalId: string): void {
  if (resolve(owner) === realPath(registryPath) || !existsSync(owner)) return;
  if (!loadRegistry(owner).goals.some(({ id }) => id === goalId)) return;
  throw new LoopwrightError(
    "GOAL_ID_TAKEN",
    `The goal ${JSON.stringify(goalId)} belongs to ${owner}, which still lists it, so ${registryPath} can't adopt it`,
    { hint: `Remove it from ${owner} first, or register this repository under another id.` },
  );
}

async function record(
  seams: ArchiveSeams,
  goal: GoalLayout,
  { goalId, registry, repo }: { goalId: string; registry: string; repo: string },
): Promise<void> {
  if (claimGoalIdIfNew(seams, goal, { goalId, registry, repo })) return;
  await changeGoalFile(seams, goal, goalId, (file) => ({ ...file, registry, repo }));
}

function claimGoalIdIfNew(
  seams: ArchiveSeams,
  goal: GoalLayout,
  who: { goalId: string; registry: string; repo: string },
): boolean {
  if (existsSync(goal.goalJson)) return false;
  return claimGoalId(seams.disk, goal, { ...who, at: timestamp(seams.clock) });
}

function withRepository(registry: RegistryFile, goalId: string, repo: string): RegistryFile {
  const known = registry.goals.some(({ id }) => id === goalId);
  const added = { id: goalId, title: "", repo, config: "loopwright.yaml" };
  return {
    ...registry,
    goals: known
      ? registry.goals.map((goal) => (goal.id === goalId ? { ...goal, repo } : goal))
      : [...registry.goals, added],
  };
}

/** Through links, also when the file itself isn't there yet. */
function realPath(path: string): string {
  const directory = dirname(resolve(path));
  return existsSync(directory)
    ? join(realpathSync(directory), path.slice(path.lastIndexOf("/") + 1))
    : resolve(path);
}
