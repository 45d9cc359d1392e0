import { isAbsolute, resolve } from "node:path";
import type { Problem } from "@loopwright/protocol";
import { adapterOf, availableAdapters, variablesOf } from "../../agents/adapters.ts";
import { agentEnvironment } from "../../agents/environment.ts";
import { closest } from "../../control-plane/closest.ts";
import type { LoadedProject, Project } from "../../control-plane/project/project.ts";
import { keyed, textsOf } from "../../control-plane/project/written.ts";
import { usedAgents } from "./used-agents.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Agents that are named but not there, and agents whose program can't be started. */
export async function agentProblems(
  project: Project,
  loaded: LoadedProject,
  environment: Environment,
): Promise<Problem[]> {
  const tiers = Object.keys(keyed(loaded.written["tiers"]));
  const problems: Problem[] = [];
  const refer = (name: string | undefined, where: string): void => {
    // Without any agent there is nothing to choose from, which is told already.
    if (name === undefined || loaded.agentNames.length === 0) return;
    if (loaded.agentNames.includes(name)) return;
    problems.push(unknown("agent", name, loaded.agentNames, where));
  };
  refer(project.configuration.default_agent, loaded.placeInConfiguration(["default_agent"]));
  for (const [name, agent] of Object.entries(keyed(loaded.written["agents"]))) {
    for (const [index, other] of textsOf(keyed(agent)["fallback"])) {
      refer(other, loaded.placeInConfiguration(["agents", name, "fallback", index]));
    }
  }
  for (const { id, agent, tier } of project.workflows) {
    refer(agent, loaded.placeInWorkflow(id, ["agent"]));
    if (tier === undefined || tiers.includes(tier)) continue;
    problems.push(unknown("tier", tier, tiers, loaded.placeInWorkflow(id, ["tier"])));
  }
  problems.push(...resumeProblems(project, loaded));
  const probes = usedAgents(project).map((name) =>
    probeProblem(project, loaded, name, environment),
  );
  return [...problems, ...(await Promise.all(probes)).flat()];
}

/** Workflows whose agent can't go on with an earlier session. */
function resumeProblems({ workflows, configuration }: Project, loaded: LoadedProject): Problem[] {
  return workflows.flatMap(({ id, session, agent: named }) => {
    const name = named ?? configuration.default_agent;
    const adapter = configuration.agents[name]?.adapter;
    if (session !== "resume" || adapter === undefined || !availableAdapters().includes(adapter))
      return [];
    if (adapterOf(adapter).capabilities.resume) return [];
    const message = `agent ${JSON.stringify(name)} (${adapter}) can't go on with an earlier session`;
    const where = loaded.placeInWorkflow(id, ["session"]);
    return [{ severity: "error", where, message, hint: "Use session: fresh, the default." }];
  });
}

async function probeProblem(
  project: Project,
  loaded: LoadedProject,
  name: string,
  user: Environment,
): Promise<Problem[]> {
  const agent = project.configuration.agents[name];
  if (agent === undefined || !availableAdapters().includes(agent.adapter)) return [];
  const environment = agentEnvironment({
    user,
    settings: agent,
    variables: variablesOf(agent.adapter),
    assignment: {},
  });
  const settings = { ...startedIn(project.root, agent), name };
  const found = await adapterOf(agent.adapter).probe(settings, environment);
  if (!("problem" in found)) return [];
  // An empty or wrong one is told already.
  const written = keyed(keyed(loaded.written["agents"])[name])["command"];
  if (agent.command === undefined && written !== undefined) return [];
  const path = agent.command === undefined ? ["agents", name] : ["agents", name, "command", 0];
  const hint =
    agent.command === undefined
      ? `Write its program and arguments: command: [program, --option].`
      : "Install it, correct its name, or give its whole path.";
  const where = loaded.placeInConfiguration(path);
  return [{ severity: "error", where, message: lower(found.problem), hint }];
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
