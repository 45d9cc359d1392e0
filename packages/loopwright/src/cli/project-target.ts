import { LoopwrightError } from "@loopwright/protocol";
import type { Context } from "./context.ts";
import { nearestWith } from "./init/project-root.ts";
import { findGoal, findRegistry } from "./target.ts";

/** The project that a command is about, registered or not. */
export interface ProjectTarget {
  readonly root: string;
  readonly configName: string;
  readonly runtimeRoot: string;
  readonly goalId: string | undefined;
}

/** The project of the goal that is meant; where none is registered, the nearest one upward. */
export function findProject(context: Context): ProjectTarget {
  try {
    const { goal, repository, runtimeRoot } = findGoal(context);
    return { root: repository, configName: goal.config, runtimeRoot, goalId: goal.id };
  } catch (error) {
    const unregistered = error instanceof LoopwrightError && error.code === "GOAL_NOT_FOUND";
    if (!unregistered || context.goalFlag !== undefined) throw error;
    const root = nearestWith(context.cwd, "loopwright.yaml");
    if (root === undefined) throw error;
    return {
      root,
      configName: "loopwright.yaml",
      runtimeRoot: findRegistry(context).runtimeRoot,
      goalId: undefined,
    };
  }
}
