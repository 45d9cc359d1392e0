import type { State } from "@loopwright/engine";
import type { WorkflowTask } from "@loopwright/protocol";
import type { SessionLayout } from "../../store/session-layout.ts";
import { lookAtState } from "./state-now.ts";

/** Where the plan stands, for a workflow that plans: the next action, and the last iteration's account. */
export function planContext(
  activeState: string,
  layout: SessionLayout,
  { last }: Pick<State, "last">,
): NonNullable<WorkflowTask["plan"]> {
  return {
    path: activeState,
    next_action: lookAtState(activeState)?.nextActions[0]?.text ?? null,
    last: last && {
      iteration: last.iteration,
      workflow_id: last.workflow_id,
      succeeded: last.succeeded,
      summary: last.summary,
      recommended_action: last.recommended_action,
      report: layout.iteration(last.iteration, last.workflow_id).report,
    },
  };
}
