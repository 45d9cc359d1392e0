import type { RaisableLimit } from "@loopwright/protocol";
import { foldLine } from "../state/fold.ts";
import type { State } from "../state/state.ts";
import { limitStop } from "../stop/limits.ts";
import { verificationDue } from "../transition/launch.ts";
import type { Raise } from "../transition/occurrence.ts";
import { react } from "../transition/react.ts";
import { continuation } from "./explain-stop.ts";

/** A limit that would end a session again as soon as it goes on. */
export interface LimitAhead {
  readonly limit: RaisableLimit;
  /** One sentence for people. */
  readonly detail: string;
  /** The command that goes on. */
  readonly hint: string;
}

/**
 * Whether a session that a limit stopped would be stopped by a limit again if it were reopened with these raises, as far
 * as its journal alone can tell. Null: something would be launched, or another reason had stopped it.
 */
export function limitAhead(state: State, raise: readonly Raise[]): LimitAhead | null {
  if (state.status !== "stopped" || state.stop_reason?.startsWith("max_") !== true) return null;
  const records = react(state, { kind: "resume", by: "user", raise, reopen: true });
  const { epoch, seq, updated_at: at } = state;
  const reopened = foldLine(state, { seq: seq + 1, at, epoch, records });
  if (verificationDue(reopened) !== null) return null;
  const stop = limitStop(reopened, state.explanation?.chosen ?? null, {});
  if (stop === null) return null;
  return {
    limit: stop.reached.limit,
    detail: stop.detail,
    hint: continuation(stop.stop_reason, reopened),
  };
}
