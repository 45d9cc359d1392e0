import { adoptGoal } from "../../control-plane/goals/adopt-goal.ts";
import { noteProject } from "../../control-plane/projects.ts";
import { listSessions } from "../../store/session-lookup.ts";
import { runtimeLayout } from "../../store/layout.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { repositoryFor } from "../repository-for.ts";
import { findRegistryFile, realRegistryPath, runtimeRootOverride } from "../target.ts";

export async function run(context: Context, { args, options }: Invocation): Promise<number> {
  const { output, seams, home } = context;
  const goalId = args[0] as string;
  const repo = repositoryFor(context, (options as { repo?: string }).repo);
  const registryPath = realRegistryPath(findRegistryFile(context));
  const { runtimeRoot, before } = await adoptGoal(seams, {
    registryPath,
    runtimeRootOverride: runtimeRootOverride(context),
    home,
    goalId,
    repo,
  });
  await noteProject(seams, home, registryPath);
  output.document({
    goal_id: goalId,
    repository: repo,
    registry: registryPath,
    runtime_root: runtimeRoot,
    before,
  });
  output.line(`Goal ${goalId} belongs to ${registryPath} and works in ${repo}.`);
  const { sessions } = runtimeLayout(runtimeRoot).goal(goalId);
  if (before !== null && before.repo !== repo && listSessions(sessions).length > 0) {
    output.line(
      `Its earlier sessions worked in ${before.repo}; go on with a new one: loopwright run --new`,
    );
  }
  return 0;
}
