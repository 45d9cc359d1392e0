import { frozenConfiguration } from "@loopwright/protocol";
import { adapterOf, availableAdapters, variablesOf } from "../../agents/adapters.ts";
import { agentEnvironment } from "../../agents/environment.ts";
import type { Probe } from "../../agents/port.ts";
import type { Diagnosis } from "./finding.ts";

/** Each agent CLI that there is an adapter for: found, its version, tested or not, a login or none. Spends nothing. */
export async function diagnoseAgents(
  user: Readonly<Record<string, string | undefined>>,
): Promise<Diagnosis[]> {
  const ids = availableAdapters().filter((id) => id !== "command");
  const found = (await Promise.all(ids.map((id) => diagnose(id, user)))).flat();
  if (found.length > 0) return found;
  const finding = "no known agent CLI on PATH; any program can be one";
  return [{ state: "ok", what: "agents", finding }];
}

async function diagnose(
  id: string,
  user: Readonly<Record<string, string | undefined>>,
): Promise<Diagnosis[]> {
  const settings = settingsOf(id);
  const variables = variablesOf(id);
  const environment = agentEnvironment({ user, settings, variables, assignment: {} });
  const probe = await adapterOf(id).probe(settings, environment);
  if ("problem" in probe) return [];
  const { version, path, login } = probe;
  const tested = testedText(probe);
  return [
    {
      state: tested.fits && login?.found !== false ? "ok" : "warning",
      what: `agent ${id}`,
      finding: [
        `${version ?? "version unknown"} at ${path}`,
        tested.text,
        login === undefined ? "whether it is logged in can't be told" : login.how,
      ].join("; "),
      ...(login?.found === false ? { hint: `Log in with ${id} once, or set its key.` } : {}),
    },
  ];
}

function testedText({ version, tested }: Extract<Probe, { path: string }>): {
  fits: boolean;
  text: string;
} {
  if (tested === undefined || version === null) return { fits: true, text: "not tested" };
  const { from, to } = tested;
  const range = from === to ? from : `${from} to ${to}`;
  const fits = compare(version, from) >= 0 && compare(version, to) <= 0;
  return fits ? { fits, text: "a tested version" } : { fits, text: `tested with ${range}` };
}

/** By numbers: `0.9.0` is older than `0.10.0`. */
function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/[.-]/).map(Number));
  for (const [index, number] of (left ?? []).entries()) {
    const difference = number - (right?.[index] ?? 0);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  return 0;
}

function settingsOf(id: string) {
  const configuration = frozenConfiguration.parse({
    goal_file: "GOAL.md",
    workflow_set: "single",
    default_agent: "coder",
    agents: { coder: { adapter: id } },
  });
  const settings = configuration.agents["coder"];
  if (settings === undefined) throw new Error("It was just parsed.");
  return { ...settings, name: "coder" };
}
