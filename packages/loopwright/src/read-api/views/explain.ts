import { explainDecision, explainStop, type State } from "@loopwright/engine";
import { afterStop } from "../../control-plane/projection/index.ts";
import type { SessionRecord } from "../session/open-record.ts";
import { waitingText } from "../words/waiting.ts";

/** Why this workflow, why not the others, why it waits, why it stopped and how to go on: sentences. */
export function explainView({ id, journal }: SessionRecord): object {
  const state = journal.state();
  const decision = state.explanation === null ? [] : explainDecision(state.explanation);
  const stop = explainStop(state);
  const waits = waitingText(state);
  return {
    schema_version: 1,
    session_id: id,
    seq: state.seq,
    sentence: stop[0] ?? waits[0] ?? decision[0] ?? "Nothing was decided yet.",
    decision,
    waiting: waits,
    stop,
    explanation: state.explanation,
    /** Per workflow that may not run, the first rule that keeps it back. */
    blocked: (state.explanation?.workflows ?? []).flatMap(({ workflow_id, eligible, rules }) => {
      const rule = rules.find(({ passed, lifted }) => !passed && lifted !== true);
      return eligible || rule === undefined ? [] : [{ workflow_id, ...rule }];
    }),
    next_command: nextCommand(state),
  };
}

function nextCommand({ status, paused, stop_reason }: State): string | null {
  if (status === "running") return paused === null ? null : "loopwright resume";
  return stop_reason === null ? null : afterStop(stop_reason);
}
