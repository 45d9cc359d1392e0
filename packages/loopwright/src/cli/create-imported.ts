import { createDurable, makeDirectoryDurable } from "../store/durable-write.ts";
import { runtimeLayout } from "../store/layout.ts";
import type { ImportedGoal } from "../control-plane/loopx/imported-goal.ts";
import { objectiveOf } from "../control-plane/active-state/index.ts";
import { noteProject } from "../control-plane/projects.ts";
import { registerGoal } from "../control-plane/register-goal.ts";
import { timestamp } from "../seams/clock.ts";
import type { Context } from "./context.ts";
import { createMissing } from "./init/project-files.ts";
import type { RegistryTarget } from "./target.ts";

export interface Importing {
  readonly root: string;
  readonly target: RegistryTarget;
  readonly goalId: string;
  readonly goal: ImportedGoal;
  /** Name below the project -> text. */
  readonly files: ReadonlyMap<string, string>;
}

/** Creates what is missing and changes nothing that is there. Cut off, it can be repeated. */
export async function createImported(
  { seams, home, runtimeRootFlag }: Context,
  { root, target, goalId, goal, files }: Importing,
): Promise<{ created: string[]; kept: string[] }> {
  const { created, kept } = createMissing(root, files);
  const registered = await registerGoal(seams, {
    registryPath: target.registryPath,
    runtimeRoot: runtimeRootFlag === undefined ? undefined : target.runtimeRoot,
    home,
    goal: {
      id: goalId,
      title: goal.title,
      repo: root,
      config: "loopwright.yaml",
      created_at: timestamp(seams.clock),
    },
    objective: objectiveOf(goal.goalText),
    activeState: goal.activeState,
  });
  const layout = runtimeLayout(registered.runtimeRoot).goal(goalId);
  makeDirectoryDurable(seams.disk, layout.directory);
  const rows = goal.runs.map((row) => `${JSON.stringify(row)}\n`).join("");
  const runs = rows !== "" && createDurable(seams.disk, layout.runs, rows);
  await noteProject(seams, home, target.registryPath);
  return { created: [...created, ...registered.created, ...(runs ? [layout.runs] : [])], kept };
}
