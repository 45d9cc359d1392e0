import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { LoopwrightError, type RegistryFile, type RegistryGoal } from "@loopwright/protocol";
import { validateGoalId } from "../control-plane/goal-id.ts";
import { findRegistryPath, registryProjectRoot } from "../control-plane/registry-path.ts";
import { loadRegistry, registryGoal, registryGoals } from "../control-plane/registry.ts";
import { resolveRuntimeRoot } from "../control-plane/runtime-root.ts";
import { type GoalLayout, runtimeLayout } from "../store/layout.ts";
import type { Context } from "./context.ts";

/** The registry that a command is about. */
export interface RegistryTarget {
  readonly registryPath: string;
  readonly registry: RegistryFile;
  readonly runtimeRoot: string;
}

/** The goal that a command is about. */
export interface GoalTarget extends RegistryTarget {
  readonly goal: RegistryGoal;
  /** Absolute path of the goal's repository, as registered. */
  readonly repository: string;
  readonly layout: GoalLayout;
}

export function findRegistry(context: Context): RegistryTarget {
  return openRegistry(context, findRegistryFile(context));
}

/** Absolute; need not exist. */
export function findRegistryFile(context: Context): string {
  return findRegistryPath({
    flag: context.registryFlag,
    environment: context.environment["LOOPWRIGHT_REGISTRY"],
    cwd: context.cwd,
    home: context.home,
  });
}

/** Through links, also where the file itself isn't there yet. */
export function realRegistryPath(path: string): string {
  const directory = realPath(dirname(path));
  return directory === undefined ? path : join(directory, basename(path));
}

export function openRegistry(context: Context, registryPath: string): RegistryTarget {
  const registry = loadRegistry(registryPath);
  const runtimeRoot = resolveRuntimeRoot(registry, {
    override: runtimeRootOverride(context),
    registryPath,
    home: context.home,
  });
  return { registryPath, registry, runtimeRoot };
}

/** A flag is about the current directory; what the registry says is about its project. */
export function runtimeRootOverride({ cwd, runtimeRootFlag }: Context): string | undefined {
  return runtimeRootFlag === undefined || runtimeRootFlag === "" || runtimeRootFlag.startsWith("~")
    ? runtimeRootFlag
    : resolve(cwd, runtimeRootFlag);
}

/** The global flags that a command to be repeated from anywhere needs again. */
export function repeatedFlags(context: Context): string[] {
  const runtimeRoot = runtimeRootOverride(context);
  return [
    ...(context.registryFlag === undefined ? [] : ["--registry", findRegistryFile(context)]),
    ...(runtimeRoot === undefined || runtimeRoot === "" ? [] : ["--runtime-root", runtimeRoot]),
  ];
}

/** `--goal`, else the one whose repository the current directory lies in, else the only one. Throws GOAL_NOT_FOUND. */
export function findGoal(context: Context, named?: string): GoalTarget {
  const target = findRegistry(context);
  const id = named ?? context.goalFlag;
  const goal =
    id === undefined
      ? onlyGoal(context, target)
      : registryGoal(target.registry, validateGoalId(id), target.registryPath);
  return goalTarget(target, goal);
}

export function goalTarget(target: RegistryTarget, goal: RegistryGoal): GoalTarget {
  const repository = resolve(registryProjectRoot(target.registryPath), goal.repo);
  return { ...target, goal, repository, layout: runtimeLayout(target.runtimeRoot).goal(goal.id) };
}

function onlyGoal(context: Context, { registry, registryPath }: RegistryTarget): RegistryGoal {
  const goals = registryGoals(registry);
  const here = goals.filter((goal) =>
    contains(resolve(registryProjectRoot(registryPath), goal.repo), context.cwd),
  );
  const candidates = here.length > 0 ? here : goals;
  if (candidates.length === 1 && candidates[0] !== undefined) return candidates[0];
  if (goals.length === 0) {
    throw new LoopwrightError("GOAL_NOT_FOUND", `There is no goal in ${registryPath}`, {
      hint: "Run: loopwright init",
    });
  }
  throw new LoopwrightError("GOAL_NOT_FOUND", `${candidates.length} goals could be meant`, {
    hint: `Say which with --goal: ${candidates
      .map(({ id }) => id)
      .slice(0, 10)
      .join(", ")}.`,
  });
}

function contains(folder: string, path: string): boolean {
  const real = realPath(folder);
  return real !== undefined && (path === real || path.startsWith(`${real}${sep}`));
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
