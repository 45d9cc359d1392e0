import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { validateGoalId } from "../goal-id.ts";
import { loadRegistry, registryGoal } from "../registry.ts";
import { resolveRuntimeRoot } from "../runtime-root.ts";
import { type LoopxGoal, readLoopxGoal } from "./read-loopx-goal.ts";

export interface LoopxPlace {
  /** A project folder with `.loopx/registry.json`, or that file. Absolute. */
  readonly path: string;
  /** Where LoopX keeps its runs, if not where the registry says. Absolute. */
  readonly runtimeRoot?: string | undefined;
  /** Which goal, where the registry lists several. */
  readonly goalId?: string | undefined;
  readonly home: string;
}

/** The one LoopX goal that is meant. Throws GOAL_NOT_FOUND, REGISTRY_INVALID, CONFIGURATION_MISSING. */
export function openLoopxGoal({ path, runtimeRoot, goalId, home }: LoopxPlace): LoopxGoal {
  const registryPath = registryAt(path);
  const registry = loadRegistry(registryPath);
  const root = resolveRuntimeRoot(registry, { override: runtimeRoot, registryPath, home });
  const [only, ...others] = registry.goals;
  if (goalId === undefined && others.length > 0) {
    throw new LoopwrightError("GOAL_NOT_FOUND", `${registryPath} lists several goals`, {
      hint: `Say which with --goal: ${registry.goals
        .map(({ id }) => id)
        .slice(0, 10)
        .join(", ")}.`,
    });
  }
  const wanted = goalId === undefined ? only?.id : validateGoalId(goalId);
  if (wanted === undefined) {
    throw new LoopwrightError("GOAL_NOT_FOUND", `${registryPath} lists no goal`);
  }
  return readLoopxGoal(registryPath, root, registryGoal(registry, wanted, registryPath), home);
}

function registryAt(path: string): string {
  const inside = join(path, ".loopx", "registry.json");
  if (existsSync(inside)) return inside;
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return resolve(path);
  throw new LoopwrightError("CONFIGURATION_MISSING", `There is no LoopX registry at ${path}`, {
    hint: "Name a folder that has .loopx/registry.json, or that file.",
  });
}
