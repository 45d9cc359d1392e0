import { foldSession, type State } from "@loopwright/engine";
import { type JournalLine, LoopwrightError } from "@loopwright/protocol";

/**
 * The state after all lines of a journal. Throws JOURNAL_DAMAGED when it starts no session, and when it calls the goal
 * met for no reason that it holds: the hash chain has no secret, so whoever can write the file can continue it.
 */
export function foldTrusted(path: string, lines: readonly JournalLine[]): State {
  const { state, unfounded } = foldSession(lines);
  if (state === null) throw damaged(path, "starts no session");
  if (unfounded !== undefined) {
    throw damaged(
      path,
      `calls the goal met in line ${unfounded.seq}, which nothing in it leads to`,
    );
  }
  return state;
}

function damaged(path: string, what: string): LoopwrightError {
  return new LoopwrightError("JOURNAL_DAMAGED", `${path} ${what}`, {
    where: path,
    hint: "Somebody else wrote there; bring the file back from a copy, or start a new session with: loopwright run --new",
  });
}
