import { isAbsolute, resolve } from "node:path";
import { LoopwrightError, type Problem } from "@loopwright/protocol";
import { adapterOf } from "../../agents/adapters.ts";
import { agentEnvironment } from "../../agents/environment.ts";
import { closest } from "../../control-plane/closest.ts";
import type { LoadedProject, Project } from "../../control-plane/project/project.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Agents that are named but not there, and agents whose program can't be started. */
export async function agentProblems(
  project: Project,
  loaded: LoadedProject,
  environment: Environment,
): Promise<Problem[]> {
  const { agents, tiers } = project.configuration;
  const problems: Problem[] = [];
  const refer = (name: string | undefined, where: string): void => {
    if (name === undefined || loaded.agentNames.includes(name)) return;
    problems.push(unknown("agent", name, loaded.agentNames, where));
  };
  refer(project.configuration.default_agent, loaded.placeInConfiguration(["default_agent"]));
  for (const [name, agent] of Object.entries(agents)) {
    for (const [index, other] of agent.fallback.entries()) {
      refer(other, loaded.placeInConfiguration(["agents", name, "fallback", index]));
    }
  }
  for (const { id, agent, tier } of project.workflows) {
    refer(agent, loaded.placeInWorkflow(id, ["agent"]));
    if (tier === undefined || tiers[tier] !== undefined) continue;
    problems.push(unknown("tier", tier, Object.keys(tiers), loaded.placeInWorkflow(id, ["tier"])));
  }
  const probes = [...usedAgents(project)].map((name) =>
    probeProblem(project, loaded, name, environment),
  );
  return [...problems, ...(await Promise.all(probes)).flat()];
}

/** Those that some enabled workflow could run on; others may be half-written. */
function usedAgents(project: Project): Set<string> {
  const { default_agent, agents } = project.configuration;
  const used = new Set<string>();
  const add = (name: string): void => {
    const agent = agents[name];
    if (agent === undefined || used.has(name)) return;
    used.add(name);
    for (const other of agent.fallback) add(other);
  };
  for (const { agent, enabled } of project.workflows) {
    if (enabled) add(agent ?? default_agent);
  }
  return used;
}

async function probeProblem(
  project: Project,
  loaded: LoadedProject,
  name: string,
  user: Environment,
): Promise<Problem[]> {
  const agent = project.configuration.agents[name];
  if (agent === undefined) return [];
  try {
    const adapter = adapterOf(agent.adapter);
    const environment = agentEnvironment({ user, settings: agent, assignment: {} });
    const found = await adapter.probe({ ...startedIn(project.root, agent), name }, environment);
    if (!("problem" in found)) return [];
    const path = agent.command === undefined ? ["agents", name] : ["agents", name, "command", 0];
    const hint =
      agent.command === undefined
        ? `Write its program and arguments: command: [program, --option].`
        : "Install it, correct its name, or give its whole path.";
    return [
      {
        severity: "error",
        where: loaded.placeInConfiguration(path),
        message: lower(found.problem),
        hint,
      },
    ];
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    const where = loaded.placeInConfiguration(["agents", name, "adapter"]);
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    return [{ severity: "error", where, message: lower(error.message), ...hint }];
  }
}

/** A program that is named with a relative path is started from the checkout, not from here. */
function startedIn<T extends { readonly command?: string[] | undefined }>(
  root: string,
  agent: T,
): T {
  const [program, ...rest] = agent.command ?? [];
  if (program === undefined || !program.includes("/") || isAbsolute(program)) return agent;
  return { ...agent, command: [resolve(root, program), ...rest] };
}

function unknown(what: string, name: string, known: readonly string[], where: string): Problem {
  const near = closest(name, known);
  return {
    severity: "error",
    where,
    message: `there is no ${what} ${JSON.stringify(name)}${near === undefined ? "" : ` (did you mean ${JSON.stringify(near)}?)`}`,
    hint: known.length === 0 ? `loopwright.yaml has no ${what}s.` : `There is ${known.join(", ")}.`,
  };
}

function lower(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, "");
}
