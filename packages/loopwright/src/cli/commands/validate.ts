import { LoopwrightError } from "@loopwright/protocol";
import type { Context } from "../context.ts";
import { countProblems, renderProblem } from "../output/problems.ts";
import { preflight } from "../preflight/preflight.ts";
import { findProject } from "../project-target.ts";

/** Exit code 5 with errors; warnings alone are fine. */
export async function run(context: Context): Promise<number> {
  const { output } = context;
  const target = findProject(context);
  const { problems, ready } = await preflight({
    ...target,
    overrides: {},
    environment: context.environment,
  });
  for (const problem of problems) output.line(renderProblem(problem));
  const registered = target.goalId !== undefined;
  const hint = registered ? "" : "; the goal is not registered yet, run: loopwright init";
  output.line(`${target.root}: ${countProblems(problems)}${hint}`);
  output.document({
    ok: ready !== undefined,
    project: target.root,
    goal_id: target.goalId ?? null,
    problems,
  });
  return ready === undefined ? new LoopwrightError("CONFIGURATION_INVALID", "").exitCode : 0;
}
