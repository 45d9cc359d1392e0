import { existsSync, realpathSync } from "node:fs";
import { type RegistryFile, type RegistryGoal, SCHEMA_VERSION } from "@loopwright/protocol";
import { timestamp } from "../seams/clock.ts";
import { createDurable } from "../store/durable-write.ts";
import { runtimeLayout } from "../store/layout.ts";
import { createActiveState } from "./active-state/index.ts";
import { refuseArchived } from "./archive/schedulable.ts";
import { renderRegistry } from "./change-registry.ts";
import { refuseForeign } from "./foreign-registry.ts";
import { claimGoalId } from "./goal-record.ts";
import { validateGoalId } from "./goal-id.ts";
import { parseRegistry } from "./registry.ts";
import { resolveRuntimeRoot } from "./runtime-root.ts";
import { changeSharedFile, type FileSeams } from "./shared-file.ts";

export interface Registration {
  readonly registryPath: string;
  /** Written as `common_runtime_root` when the registry is made or has none. */
  readonly runtimeRoot?: string | undefined;
  readonly home: string;
  readonly goal: RegistryGoal;
  /** What the active state shows as its objective. */
  readonly objective: string;
  /** A whole `ACTIVE_STATE.md` to begin with, instead of an empty one with the objective. */
  readonly activeState?: string;
}

export interface Registered {
  readonly runtimeRoot: string;
  /** Paths that didn't exist before. */
  readonly created: string[];
}

/**
 * Lists a goal in its registry and makes its directory. The id is claimed in the runtime root first: a crash
 * after that leaves a claimed id that the same registry takes up again.
 */
export async function registerGoal(
  seams: FileSeams,
  registration: Registration,
): Promise<Registered> {
  const { registryPath, goal } = registration;
  validateGoalId(goal.id);
  const created: string[] = [];
  let runtimeRoot = "";
  refuseForeign(registryPath);
  await changeSharedFile(seams, registryPath, (text) => {
    const registry = text === undefined ? emptyRegistry() : parseRegistry(registryPath, text);
    const known = registry.goals.some(({ id }) => id === goal.id);
    const root = registration.runtimeRoot ?? registry.common_runtime_root;
    runtimeRoot = resolveRuntimeRoot(registry, {
      ...registration,
      override: registration.runtimeRoot,
    });
    const layout = runtimeLayout(runtimeRoot).goal(goal.id);
    // Its data would be made anew beside the archived one.
    if (known && !existsSync(layout.goalJson)) {
      refuseArchived(runtimeLayout(runtimeRoot), goal.id);
    }
    const at = timestamp(seams.clock);
    const record = { goalId: goal.id, registry: realPath(registryPath), repo: goal.repo, at };
    if (claimGoalId(seams.disk, layout, record)) created.push(layout.goalJson);
    const { activeState } = registration;
    if (
      activeState === undefined
        ? createActiveState(seams.disk, layout.activeState, {
            ...registration,
            goalId: goal.id,
            at,
          })
        : createDurable(seams.disk, layout.activeState, activeState)
    ) {
      created.push(layout.activeState);
    }
    if (known && text !== undefined && root === registry.common_runtime_root) return undefined;
    if (text === undefined) created.push(registryPath);
    return renderRegistry({
      ...registry,
      updated_at: at,
      common_runtime_root: root ?? null,
      goals: known ? registry.goals : [...registry.goals, goal],
    });
  });
  return { runtimeRoot, created };
}

function emptyRegistry(): RegistryFile {
  return { schema_version: SCHEMA_VERSION, goals: [] };
}

/** Through links, also when the file itself isn't there yet. */
function realPath(path: string): string {
  const directory = path.slice(0, path.lastIndexOf("/"));
  return `${realpathSync(directory)}${path.slice(directory.length)}`;
}
