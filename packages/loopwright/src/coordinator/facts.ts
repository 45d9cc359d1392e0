import type { DecisionFacts, SessionFile } from "@loopwright/protocol";
import type { State } from "@loopwright/engine";
import { timestamp } from "../seams/clock.ts";
import { agentNameOf, type Holds } from "../control-plane/session/holds.ts";
import type { Accounts } from "./accounts.ts";
import type { Requests } from "./requests.ts";
import type { Seams } from "./seams.ts";

/** What of the world the next decision depends on. Cheap: one `lstat` for each workflow that runs when requested. */
export function gatherFacts(
  clock: Seams["clock"],
  state: State,
  file: SessionFile,
  from: { readonly requests: Requests; readonly holds: Holds; readonly accounts: Accounts },
): DecisionFacts {
  const requestable = state.rules.workflows.filter((workflow) => workflow.run_when_requested);
  const now = clock.wall();
  const heldUntil = (agent: string): number | undefined =>
    latest(from.holds.until(agent, now), from.accounts.until(agent, file, now));
  const holds: Record<string, string> = {};
  const agents: Record<string, string> = {};
  for (const { id } of state.rules.workflows) {
    const agent = agentNameOf(file, id);
    const until = heldUntil(agent);
    if (until === undefined) continue;
    const other = file.configuration.agents[agent]?.fallback.find(
      (each) => heldUntil(each) === undefined,
    );
    if (other === undefined) holds[id] = new Date(until).toISOString();
    else agents[id] = other;
  }
  return {
    now: timestamp(clock),
    requests: from.requests.standing(requestable.map(({ id }) => id)),
    holds,
    ...(Object.keys(agents).length === 0 ? {} : { agents }),
  };
}

function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
