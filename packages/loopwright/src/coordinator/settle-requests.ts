import type { State } from "@loopwright/engine";
import type { JournalLine } from "@loopwright/protocol";
import type { Requests } from "./requests.ts";

/**
 * Moves the request files that a success consumed, after the commit that says so. A crash in between leaves the file,
 * which asks for nothing (its digest is known as consumed) and is moved at the next start: then without a line.
 */
export function settleRequests(requests: Requests, state: State, line?: JournalLine): void {
  for (const { id, run_when_requested } of state.rules.workflows) {
    if (!run_when_requested || (line !== undefined && !succeeded(line, id))) continue;
    const counters = state.workflows[id];
    if (counters?.consumed_request == null) continue;
    requests.settle(
      id,
      counters.consumed_request,
      counters.last_success ?? counters.last_start ?? 1,
    );
  }
}

function succeeded({ records }: JournalLine, workflowId: string): boolean {
  return records.some(
    ({ type, data }) =>
      type === "task_finished" && data.workflow_id === workflowId && data.succeeded,
  );
}
