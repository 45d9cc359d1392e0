import { limitAhead, type State } from "@loopwright/engine";
import { endingText, LoopwrightError } from "@loopwright/protocol";
import { type Raise, raisedTo } from "../../coordinator/limits.ts";
import type { Reopening } from "../../coordinator/open-session.ts";

export type Choice =
  | { readonly kind: "new"; readonly say?: string }
  | {
      readonly kind: "continue";
      readonly sessionId: string;
      readonly say: string;
      readonly reopen?: Reopening;
    }
  /** Its coordinator lives: look on, and send a worker where none is. */
  | { readonly kind: "attach"; readonly sessionId: string };

export interface ChoiceFacts {
  /** The newest session, if there is one. */
  readonly latest: State | undefined;
  readonly coordinatorAlive: boolean;
  /** `--new`, `--resume`, or neither. */
  readonly wish: "new" | "resume" | undefined;
  readonly raise: readonly Raise[];
  /** Nobody said that a paused session should go on: a coordinator alone was started. Default false. */
  readonly staysPaused?: boolean;
}

/** What a `run` does with what is there. Throws SESSION_ENDED, SESSION_RUNNING or LIMIT_REACHED where a person has to say more. */
export function chooseSession({
  latest,
  coordinatorAlive,
  wish,
  raise,
  staysPaused = false,
}: ChoiceFacts): Choice {
  if (latest === undefined) {
    if (wish !== "resume") return { kind: "new" };
    throw new LoopwrightError("SESSION_NOT_FOUND", "There is no session to resume", {
      hint: "Run: loopwright run",
    });
  }
  const { session_id: sessionId, status, stop_reason: reason } = latest;
  if (status === "running") {
    if (wish === "new") {
      throw new LoopwrightError("SESSION_RUNNING", `Session ${sessionId} has not ended`, {
        hint: "End it with: loopwright stop. Or go on with it: loopwright run",
      });
    }
    if (coordinatorAlive) return { kind: "attach", sessionId };
    if (latest.paused !== null && staysPaused && wish === undefined) {
      const say = `Continuing session ${sessionId}, which is paused (${latest.paused.reason}) until: loopwright resume`;
      return { kind: "continue", sessionId, say };
    }
    if (latest.paused !== null) {
      return {
        kind: "continue",
        sessionId,
        say: `Continuing session ${sessionId}, which was paused (${latest.paused.reason})`,
        reopen: { by: "run", raise },
      };
    }
    const reopen = raise.length === 0 ? {} : { reopen: { by: "run", raise } };
    return {
      kind: "continue",
      sessionId,
      say: `Continuing session ${sessionId}, which was interrupted`,
      ...reopen,
    };
  }
  const ended = `Session ${sessionId} has ended: ${endingText(status, reason)}`;
  if (wish === "new") return { kind: "new" };
  if (status === "goal_met") {
    throw new LoopwrightError("SESSION_ENDED", ended, {
      hint: "Start another session with: loopwright run --new",
    });
  }
  if (wish === "resume") {
    refuseUsedUp(latest, raise);
    return {
      kind: "continue",
      sessionId,
      say: `Resuming session ${sessionId}, which was ${endingText(status, reason)}`,
      reopen: { by: "run", raise },
    };
  }
  if (latest.iterations === 0)
    return {
      kind: "new",
      say: `Session ${sessionId} ended without an iteration (${reason}); a new one takes its place`,
    };
  throw new LoopwrightError("SESSION_ENDED", ended, {
    hint: "Go on with it: loopwright resume. Or start another: loopwright run --new",
  });
}

/** Nothing is started for a session that would stop again at once. */
function refuseUsedUp(latest: State, raise: readonly Raise[]): void {
  const ahead = limitAhead(latest, raisedTo(latest, raise));
  if (ahead === null) return;
  throw new LoopwrightError(
    "LIMIT_REACHED",
    `Session ${latest.session_id} would stop again at once: ${ahead.detail}`,
    { hint: ahead.hint },
  );
}
