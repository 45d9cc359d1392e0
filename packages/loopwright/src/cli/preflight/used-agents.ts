import type { Project } from "../../control-plane/project/project.ts";

/**
 * Names of the agents that some enabled workflow could run on; others may be half-written. All of them where a workflow
 * or the default names one that isn't there: any could be the one that is meant.
 */
export function usedAgents({ configuration, workflows }: Project): string[] {
  const { agents, default_agent } = configuration;
  const named = workflows
    .filter(({ enabled }) => enabled)
    .map(({ agent }) => agent ?? default_agent);
  const known = Object.keys(agents);
  const used = known.filter((name) => named.includes(name));
  return named.every((name) => known.includes(name)) && used.length > 0 ? used : known;
}
