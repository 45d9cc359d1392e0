import { existsSync } from "node:fs";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { proposeGoalId, validateGoalId } from "../../control-plane/goal-id.ts";
import { noteProject } from "../../control-plane/projects.ts";
import { registerGoal } from "../../control-plane/register-goal.ts";
import { timestamp } from "../../seams/clock.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { initialObjective } from "../init/objective.ts";
import { repositoryFor } from "../repository-for.ts";
import { findRegistry, realRegistryPath } from "../target.ts";

interface AddOptions {
  readonly repo?: string;
  readonly title?: string;
  readonly config: string;
}

export async function run(context: Context, invocation: Invocation): Promise<number> {
  const { output, seams, home } = context;
  const options = invocation.options as unknown as AddOptions;
  const asked = invocation.args[0] as string | undefined;
  if (asked !== undefined) validateGoalId(asked);
  const repo = repositoryFor(context, options.repo);
  if (!existsSync(join(repo, options.config))) {
    throw new LoopwrightError("CONFIGURATION_MISSING", `There is no ${options.config} in ${repo}`, {
      hint: "Set the project up there first: loopwright init",
    });
  }
  const target = findRegistry(context);
  const goalId = asked ?? proposeGoalId(repo, target.registryPath);
  if (target.registry.goals.some(({ id }) => id === goalId)) {
    throw new LoopwrightError(
      "GOAL_ID_TAKEN",
      `${target.registryPath} lists a goal ${JSON.stringify(goalId)} already`,
      { hint: "Choose another id." },
    );
  }
  const { title, objective } = initialObjective(repo);
  const registryPath = realRegistryPath(target.registryPath);
  const registered = await registerGoal(seams, {
    registryPath,
    runtimeRoot: context.runtimeRootFlag === undefined ? undefined : target.runtimeRoot,
    home,
    goal: {
      id: goalId,
      title: options.title ?? title,
      repo,
      config: options.config,
      created_at: timestamp(seams.clock),
    },
    objective,
  });
  await noteProject(seams, home, registryPath);
  output.line(`Goal ${goalId} in ${repo}`);
  for (const path of registered.created) output.line(`  created  ${path}`);
  output.document({
    goal_id: goalId,
    repository: repo,
    registry: registryPath,
    runtime_root: registered.runtimeRoot,
    created: registered.created,
  });
  return 0;
}
