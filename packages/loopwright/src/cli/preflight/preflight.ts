import { preflightSchedule } from "@loopwright/engine";
import { type Problem } from "@loopwright/protocol";
import { rulesOf } from "../../control-plane/project/freeze.ts";
import { loadProject } from "../../control-plane/project/load-project.ts";
import type {
  LoadedProject,
  Project,
  ProjectOverrides,
} from "../../control-plane/project/project.ts";
import type { RepositoryFacts } from "../../git/repository.ts";
import { agentProblems } from "./agent-problems.ts";
import { availabilityProblems } from "./availability-problems.ts";
import { gateProblems } from "./gate-problems.ts";
import { machineProblems } from "./machine-problems.ts";
import { promptProblems } from "./prompt-problems.ts";
import { checkRepository } from "./repository-problems.ts";
import { spendingProblems } from "./spending-problems.ts";

export interface PreflightRequest {
  /** Absolute path of the project. */
  readonly root: string;
  readonly configName: string;
  readonly overrides: ProjectOverrides;
  readonly runtimeRoot: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Preflight {
  /** Everything that was found, errors and warnings. */
  readonly problems: readonly Problem[];
  /** Only when there is no error. */
  readonly ready: { readonly project: Project; readonly repository: RepositoryFacts } | undefined;
}

/**
 * Everything that can be known before a session starts, all at once. Creates nothing and starts no agent. Throws
 * CONFIGURATION_MISSING where there is no configuration.
 */
export async function preflight(request: PreflightRequest): Promise<Preflight> {
  const repositoryChecked = checkRepository(request.root);
  const loaded = loadProject(request.root, request.configName, request.overrides);
  const problems: Problem[] = [...loaded.problems, ...machineProblems(request)];
  const { project, draft } = loaded;
  if (draft !== undefined) problems.push(...(await projectProblems(draft, loaded, request)));
  const repository = await repositoryChecked;
  problems.push(...repository.problems);
  const broken = problems.some(({ severity }) => severity === "error");
  return {
    problems,
    ready:
      broken || project === undefined || repository.facts === undefined
        ? undefined
        : { project, repository: repository.facts },
  };
}

async function projectProblems(
  project: Project,
  loaded: LoadedProject,
  request: PreflightRequest,
): Promise<Problem[]> {
  const gate = gateProblems(project, loaded, request.environment);
  const rules = rulesOf(project.configuration, project.workflows, { checks: gate.checks });
  // What a schedule with mistakes would do says nothing; whom it names does.
  const isWhole = loaded.project !== undefined;
  const found = preflightSchedule(rules).filter(({ field }) => isWhole || field !== null);
  const schedule = found.map(({ severity, workflow_id, field, message, hint }): Problem => ({
    severity,
    where: placeOf(loaded, workflow_id, field),
    message,
    ...(hint === undefined ? {} : { hint }),
  }));
  return [
    ...availabilityProblems(project, loaded),
    ...(await agentProblems(project, loaded, request.environment)),
    ...spendingProblems(project, loaded),
    ...promptProblems(project, loaded),
    ...gate.problems,
    ...schedule,
  ];
}

function placeOf(loaded: LoadedProject, workflowId: string | null, field: string | null): string {
  if (workflowId === null) return loaded.placeInConfiguration(["workflow_set"]);
  return loaded.placeInWorkflow(workflowId, field === null ? [] : field.split("."));
}
