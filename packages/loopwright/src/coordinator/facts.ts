import type { DecisionFacts, SessionFile } from "@loopwright/protocol";
import type { State } from "@loopwright/engine";
import { timestamp } from "../seams/clock.ts";
import { agentNameOf, type Holds } from "../control-plane/session/holds.ts";
import type { Requests } from "./requests.ts";
import type { Seams } from "./seams.ts";

/** What of the world the next decision depends on. Cheap: one `lstat` for each workflow that runs when requested. */
export function gatherFacts(
  clock: Seams["clock"],
  state: State,
  file: SessionFile,
  from: { readonly requests: Requests; readonly holds: Holds },
): DecisionFacts {
  const requestable = state.rules.workflows.filter((workflow) => workflow.run_when_requested);
  const now = clock.wall();
  const holds: Record<string, string> = {};
  for (const { id } of state.rules.workflows) {
    const until = from.holds.until(agentNameOf(file, id), now);
    if (until !== undefined) holds[id] = new Date(until).toISOString();
  }
  return {
    now: timestamp(clock),
    requests: from.requests.standing(requestable.map(({ id }) => id)),
    holds,
  };
}
