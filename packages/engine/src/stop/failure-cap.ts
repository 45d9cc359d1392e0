import type { SchedulingRules } from "@loopwright/protocol";
import { isEvaluating } from "../schedule/roles.ts";
import { countersOf } from "../state/counters.ts";
import type { State } from "../state/state.ts";
import type { Stop } from "./decide-stop.ts";

type Capped = Pick<State, "rules" | "workflows" | "limits">;

/** Stop rule 4, for the workflows that can't be benched instead. */
export function failureCapStop(state: Capped): Stop | null {
  const capped = atTheCap(state)[0];
  if (capped === undefined) return null;
  const { failures_in_row } = countersOf(state.workflows, capped.id);
  return {
    stop_reason: "workflow_failure_cap",
    detail: `${capped.id} failed ${failures_in_row} times in a row.`,
  };
}

/** The next workflow to bench: advisory, at the cap, and the goal can still be claimed without it. */
export function nextBench(
  state: Capped,
): { workflow_id: string; failures: number; reason: string } | null {
  const found = atTheCap(state).find(
    (workflow) => isEvaluating(workflow) && isCompletableWithout(state, workflow),
  );
  if (found === undefined) return null;
  const failures = countersOf(state.workflows, found.id).failures_in_row;
  return {
    workflow_id: found.id,
    failures,
    reason: `It failed ${failures} times in a row; it only advises, so the session goes on without it.`,
  };
}

function atTheCap({ rules, workflows, limits }: Capped): SchedulingRules[] {
  return rules.workflows.filter((workflow) => {
    const { benched, failures_in_row } = countersOf(workflows, workflow.id);
    return workflow.enabled && !benched && failures_in_row >= limits.workflow_failure_cap;
  });
}

function isCompletableWithout({ rules, workflows }: Capped, benched: SchedulingRules): boolean {
  return rules.workflows.some(
    (other) =>
      other.id !== benched.id &&
      other.enabled &&
      other.may_complete &&
      !countersOf(workflows, other.id).benched,
  );
}
