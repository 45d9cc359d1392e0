import type { JournalLine } from "@loopwright/protocol";
import { foldLine } from "../state/fold.ts";
import type { State } from "../state/state.ts";
import { react } from "../transition/react.ts";
import { occurrenceOf } from "./occurrence-of.ts";

export interface FoldedSession {
  /** Null without lines. */
  readonly state: State | null;
  /**
   * The line that calls the goal met although this doesn't follow from what stands before it and in it: no engine
   * wrote it. Undefined in every session that an engine wrote.
   */
  readonly unfounded: { readonly seq: number } | undefined;
}

/**
 * Folds a session for whoever is about to believe it. Deciding every line again is what `verifyLine` is for; this does
 * so only with the one that a night's work is accepted by, which costs nothing.
 */
export function foldSession(
  lines: readonly JournalLine[],
  from: State | null = null,
): FoldedSession {
  let state = from;
  let unfounded: FoldedSession["unfounded"];
  for (const line of lines) {
    const before = state;
    state = foldLine(before, line);
    const isMet = state.status === "goal_met" && before?.status !== "goal_met";
    if (isMet && !decides(before, line)) unfounded ??= { seq: line.seq };
  }
  return { state, unfounded };
}

function decides(before: State | null, line: JournalLine): boolean {
  const occurrence = occurrenceOf(line);
  if (occurrence === null) return false;
  return react(before, occurrence).some(
    ({ type, data }) => type === "session_stopped" && data.status === "goal_met",
  );
}
