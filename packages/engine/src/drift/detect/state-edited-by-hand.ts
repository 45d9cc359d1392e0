import type { DriftFactWarning } from "@loopwright/protocol";
import { type AboutGoal, shortDigest, warn } from "./warn.ts";

export interface EditFacts extends AboutGoal {
  /** Shown to people: `ACTIVE_STATE.md`, `state.json`. */
  readonly file: string;
  /** Digests that the record explains: before and after a move of the next action, or of the fold. */
  readonly expectedDigests: readonly string[];
  /** Null when the file is gone. */
  readonly actualDigest: string | null;
  /** A move of the next action that wasn't applied because of the edit. */
  readonly pendingMove?: { readonly iteration: number; readonly text: string };
  /** The program rewrites the file by itself: an edit is lost, and never was the truth. */
  readonly derived?: boolean;
}

/** A file isn't what the record says that it was left as. */
export function stateEditedByHandWarning(facts: EditFacts): DriftFactWarning | null {
  const { file, expectedDigests, actualDigest, pendingMove, goalId = "GOAL" } = facts;
  if (expectedDigests.length === 0) return null;
  if (actualDigest !== null && expectedDigests.includes(actualDigest)) return null;
  const gone = actualDigest === null;
  const happened = gone ? "is gone" : "was changed by hand";
  return warn({
    kind: "state_edited_by_hand",
    severity: facts.derived ? "watch" : gone || pendingMove !== undefined ? "action" : "info",
    reason: facts.derived
      ? `${file} ${happened}, but it is only a copy for readers: the journal stands, and the next step rewrites it.`
      : pendingMove === undefined
        ? `${file} ${happened} since the loop wrote it last${gone ? "." : "; your text stands."}`
        : `${file} ${happened}, so the next action that iteration ${pendingMove.iteration} planned wasn't written over your text.`,
    recommended: facts.derived
      ? "Nothing needs to be done; change the loop through its commands (loopwright update, stop, resume)."
      : pendingMove === undefined
        ? `Take the changed state up: loopwright refresh ${goalId}`
        : `Take the planned next action: loopwright resolve ${goalId} --take run. Or keep your text: loopwright resolve ${goalId} --take state.`,
    evidence: [
      {
        source: facts.derived ? "journal.jsonl" : "journal.jsonl (next_action_moved)",
        says: `left ${file} as ${expectedDigests.map(shortDigest).join(" or ")}`,
      },
      { source: file, says: gone ? "is missing" : `is now ${shortDigest(actualDigest)}` },
    ],
  });
}
