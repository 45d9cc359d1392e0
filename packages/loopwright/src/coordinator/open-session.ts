import { react } from "@loopwright/engine";
import { endingText, LoopwrightError } from "@loopwright/protocol";
import { requireSchedulable } from "../control-plane/archive/schedulable.ts";
import { runtimeLayout } from "../store/layout.ts";
import type { Lock } from "../store/lock.ts";
import { createSession } from "./create-session.ts";
import type { Raise } from "./limits.ts";
import { type LoadedSession, loadSession, readSessionFile } from "./load-session.ts";
import { joinLocks, type Locks, takeCheckoutLock, takeGoalLock } from "./locks.ts";
import type { Seams } from "./seams.ts";
import type { SessionPlan } from "./session-plan.ts";

/** `reopen`: take up a session that has stopped or is paused, with raised limits or without. */
export type Opening =
  | { readonly kind: "new"; readonly plan: SessionPlan }
  | { readonly kind: "existing"; readonly sessionId: string; readonly reopen?: Reopening };

export interface Reopening {
  readonly by: string;
  readonly raise: readonly Raise[];
}

export interface OpenSession {
  readonly session: LoadedSession;
  readonly locks: Locks;
}

export interface OpenOptions {
  readonly runtimeRoot: string;
  readonly goalId: string;
  readonly open: Opening;
}

/** Everything of the start that can be refused. Nothing is held any more when it throws. */
export function openSession(seams: Seams, { runtimeRoot, goalId, open }: OpenOptions): OpenSession {
  const runtime = runtimeLayout(runtimeRoot);
  const goal = runtime.goal(goalId);
  const held: Lock[] = [];
  try {
    const goalLock = takeGoalLock(seams, runtime, goalId);
    held.push(goalLock);
    // It may have been archived or disabled since somebody looked; with the lock it can't be any more.
    requireSchedulable(runtime, goalId);
    const tree =
      open.kind === "new"
        ? open.plan.repository
        : readSessionFile(goal.session(open.sessionId)).file.repository;
    const checkoutLock = takeCheckoutLock(seams, runtime, goalId, tree);
    held.push(checkoutLock);
    const locks = joinLocks(goalLock, checkoutLock);
    const sessionId =
      open.kind === "new" ? createSession(seams, goal, open.plan, locks.epoch) : open.sessionId;
    const session = loadSession(seams.disk, goal.session(sessionId), locks);
    refuseEnded(session, open);
    return { session, locks };
  } catch (error) {
    for (const lock of held.reverse()) lock.release();
    throw error;
  }
}

function refuseEnded({ state }: LoadedSession, open: Opening): void {
  if (open.kind === "new" || state.status === "running") return;
  const reopens =
    open.reopen !== undefined &&
    react(state, { kind: "resume", by: open.reopen.by, raise: [], reopen: true }).length > 0;
  if (reopens) return;
  const detail = endingText(state.status, state.stop_reason);
  if (open.reopen === undefined) {
    throw new LoopwrightError("SESSION_ENDED", `Session ${state.session_id} has ended: ${detail}`, {
      hint: "Continue it with `loopwright resume`, or start a new one with `loopwright run --new`.",
    });
  }
  throw new LoopwrightError(
    "SESSION_ENDED",
    `Session ${state.session_id} can't be opened again: ${detail}`,
    {
      hint: "Start a new one with `loopwright run --new`.",
    },
  );
}
