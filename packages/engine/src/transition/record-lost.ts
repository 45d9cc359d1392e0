import type { RecordData } from "@loopwright/protocol";
import { countersOf } from "../state/counters.ts";
import { crashLoop } from "../stop/pause-after.ts";
import { add, type Draft } from "./draft.ts";
import { GO_ON, type Recorded } from "./recorded.ts";

export function recordAbandoned(draft: Draft, abandoned: RecordData<"task_abandoned">): Recorded {
  if (!namesLiveTask(draft, abandoned)) return null;
  add(draft, "task_abandoned", abandoned);
  const { workflow_id } = abandoned;
  if (workflow_id === null) return GO_ON;
  return {
    pause: crashLoop(workflow_id, countersOf(draft.state.workflows, workflow_id).crashes_in_row),
    launch: true,
  };
}

export function recordWithdrawn(draft: Draft, withdrawn: RecordData<"task_withdrawn">): Recorded {
  if (!namesLiveTask(draft, withdrawn)) return null;
  add(draft, "task_withdrawn", withdrawn);
  return GO_ON;
}

function namesLiveTask(
  { state: { task } }: Draft,
  lost: { kind: string; attempt_id: string; iteration: number },
): boolean {
  return (
    task !== null &&
    task.kind === lost.kind &&
    task.attempt_id === lost.attempt_id &&
    task.iteration === lost.iteration
  );
}
