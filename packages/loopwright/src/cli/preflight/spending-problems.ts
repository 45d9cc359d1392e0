import type { Problem } from "@loopwright/protocol";
import type { LoadedProject, Project } from "../../control-plane/project/project.ts";
import { usedAgents } from "./used-agents.ts";

const SPENT = { max_cost_usd: "cost", max_tokens: "tokens" } as const;

/** Limits of tokens and dollars that nothing counts towards, because the output of an agent says nothing of them. */
export function spendingProblems(project: Project, loaded: LoadedProject): Problem[] {
  const { agents, limits, unknown_cost } = project.configuration;
  const used = usedAgents(project);
  const silent = used.filter((name) => agents[name]?.dialect === "none");
  if (silent.length === 0) return [];
  const all = silent.length === used.length;
  const names = silent.map((name) => JSON.stringify(name)).join(", ");
  return (["max_cost_usd", "max_tokens"] as const)
    .filter((limit) => limits[limit] !== null)
    .map((limit) => ({
      severity: "warning",
      where: loaded.placeInConfiguration(["limits", limit]),
      message:
        unknown_cost === "stop"
          ? `${limit} stops the session after the first iteration of ${names}, whose output reports no ${SPENT[limit]}`
          : `${limit} ${all ? "can't be reached" : "doesn't hold for all"}: the output of ${names} reports no ${SPENT[limit]}`,
      hint: "Use dialect: json-lines with usage events and a price, or limit iterations and time.",
    }));
}
