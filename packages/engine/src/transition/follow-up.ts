import { decideStop } from "../stop/decide-stop.ts";
import { nextBench } from "../stop/failure-cap.ts";
import { isTerminal } from "../state/state.ts";
import { add, type Draft } from "./draft.ts";
import { launch } from "./launch.ts";
import type { Next } from "./occurrence.ts";
import { GO_ON, type Recorded } from "./recorded.ts";
import { recordPause } from "./record-request.ts";
import { stopSession } from "./stop-session.ts";

/** Step 5 of recording a finished task: the stop that follows, else a pause, else the next task. */
export function followUp(draft: Draft, next?: Next, recorded: Recorded = GO_ON): void {
  if (recorded === null || isTerminal(draft.state) || draft.state.task !== null) return;
  for (let bench = nextBench(draft.state); bench !== null; bench = nextBench(draft.state))
    add(draft, "workflow_benched", bench);
  if (stopIfDue(draft, next)) return;
  if (recorded.pause !== null) {
    recordPause(draft, { ...recorded.pause, by: "engine" });
    // A stop that waited for the verdict of a claim doesn't wait behind a pause.
    stopIfDue(draft, next);
    return;
  }
  if (next !== undefined && recorded.launch) launch(draft, next);
}

function stopIfDue(draft: Draft, next: Next | undefined): boolean {
  const stop = decideStop(draft.state);
  if (stop === null) return false;
  const { verified } = stop;
  stopSession(
    draft,
    stop.stop_reason,
    stop.detail,
    next?.facts ?? null,
    verified === undefined ? {} : { verified },
  );
  return true;
}
