import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { LoopwrightError, type SessionFile } from "@loopwright/protocol";
import { createPinStore } from "../../evaluation/index.ts";
import type { Context } from "../context.ts";
import { countProblems, renderProblem } from "../output/problems.ts";
import { preflight } from "../preflight/preflight.ts";
import type { GoalTarget } from "../target.ts";
import { carryPins } from "./carry-pins.ts";

/**
 * The session as the project would have it now, after the whole preflight. Goal, workflow set and work tree stay: a
 * session has one of each. Throws CONFIGURATION_INVALID with all problems.
 */
export async function presentProject(
  context: Context,
  target: GoalTarget,
  session: SessionFile,
): Promise<SessionFile> {
  const { goal_file, workflow_set } = session.configuration;
  const { problems, ready } = await preflight({
    root: target.repository,
    configName: target.goal.config,
    overrides: {
      workflowSet: session.workflow_set,
      goalFile: existsSync(resolve(target.repository, goal_file)) ? goal_file : undefined,
    },
    runtimeRoot: target.runtimeRoot,
    environment: context.environment,
  });
  if (ready === undefined) {
    throw new LoopwrightError(
      "CONFIGURATION_INVALID",
      `Nothing was reloaded: ${countProblems(problems)}`,
      { hint: "Mend them, then look again with: loopwright validate", problems },
    );
  }
  for (const problem of problems) context.output.progress(renderProblem(problem));
  const { project, repository } = ready;
  if (repository.root !== session.repository) {
    throw new LoopwrightError(
      "WRONG_CHECKOUT",
      `The session works in ${session.repository}, but the project lies in ${repository.root} now`,
    );
  }
  const configuration = { ...project.configuration, goal_file, workflow_set };
  const pins = carryPins({
    checkout: repository.root,
    store: createPinStore(context.seams.disk, target.layout.pins),
    pins: session.pins,
    before: session.configuration.gate,
    now: configuration.gate,
  });
  const { preamble, workflows } = project;
  return { ...session, preamble, configuration, workflows: [...workflows], pins };
}
