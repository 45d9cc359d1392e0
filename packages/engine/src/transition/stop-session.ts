import {
  type DecisionFacts,
  type Explanation,
  STATUS_OF_REASON,
  type StopReason,
} from "@loopwright/protocol";
import { add, type Draft } from "./draft.ts";

/** One record decides a stop, once. `detail` is one sentence for people. */
export function stopSession(
  draft: Draft,
  stop_reason: StopReason,
  detail: string,
  facts: DecisionFacts | null,
  more: { verified?: boolean; explanation?: Explanation } = {},
): void {
  add(draft, "session_stopped", {
    status: STATUS_OF_REASON[stop_reason],
    stop_reason,
    verified: more.verified ?? null,
    detail,
    facts,
    explanation: more.explanation ?? null,
  });
}
