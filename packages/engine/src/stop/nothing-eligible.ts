import type { Explanation } from "@loopwright/protocol";
import type { State } from "../state/state.ts";
import type { Stop } from "./decide-stop.ts";

/** Stop rule 8, naming for each workflow what blocks it; after a bench it is the failure cap that stops. */
export function nothingEligible(state: State, explanation: Explanation): Stop {
  const blocked = blockers(explanation).join("; ");
  const benched = Object.entries(state.workflows).flatMap(([id, own]) => (own.benched ? [id] : []));
  if (benched.length === 0)
    return { stop_reason: "no_eligible_workflow", detail: `No workflow is eligible: ${blocked}.` };
  return {
    stop_reason: "workflow_failure_cap",
    detail: `No workflow is eligible after ${benched.join(", ")} failed too often: ${blocked}.`,
  };
}

/** One phrase a workflow, such as `inner: must_follow (outer has not succeeded yet)`. */
export function blockers(explanation: Explanation): string[] {
  return explanation.workflows.flatMap(({ workflow_id, rules }) => {
    const failing = rules.find((verdict) => !verdict.passed && verdict.lifted !== true);
    return failing === undefined ? [] : [`${workflow_id}: ${failing.rule} (${failing.detail})`];
  });
}
