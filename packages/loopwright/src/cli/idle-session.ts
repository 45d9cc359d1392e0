import type { State } from "@loopwright/engine";
import { LoopwrightError } from "@loopwright/protocol";
import type { Context } from "./context.ts";
import type { OpenedSession } from "./open-session.ts";
import { holderOf } from "../control-plane/projection/index.ts";
import type { GoalTarget } from "./target.ts";

/** Throws SESSION_RUNNING while a coordinator may live. `why`: what goes wrong then; `hint`: what to do. */
export function refuseWhileHeld(
  { seams }: Context,
  target: GoalTarget,
  { why, hint }: { readonly why: string; readonly hint: string },
): void {
  const { liveness, pid, host } = holderOf(target.layout.lock, seams.processes);
  if (liveness === "none" || liveness === "dead") return;
  throw new LoopwrightError(
    "SESSION_RUNNING",
    `The session is being run by process ${pid} on ${host}, ${why}`,
    { hint },
  );
}

/** Throws SESSION_RUNNING while something of a task that outlived its coordinator is still at work. */
export function refuseWhileAtWork({ seams }: Context, { task, seat }: State): void {
  if (task === null) return;
  const { processes } = seams;
  const left = processes.marked(task.attempt_id)[0];
  if (left === undefined && (seat === null || processes.liveness(seat) !== "alive")) return;
  const what = left === undefined ? "its worker" : `${left.command} (process ${left.pid})`;
  throw new LoopwrightError(
    "SESSION_RUNNING",
    `The session has no coordinator, but ${what} is still at work for it`,
    { hint: "Let it end, or end it with: loopwright stop --now" },
  );
}

/** All others may go on, with other checks and another configuration. Throws SESSION_ENDED. */
export function refuseMet({ status, session_id }: State): void {
  if (status !== "goal_met") return;
  throw new LoopwrightError("SESSION_ENDED", `Session ${session_id} has met its goal`, {
    hint: "Start another session with: loopwright run --new",
  });
}

/** For what was decided from a session as it was read: throws STATE_MOVED when it has gone on since. */
export function refuseMoved({ state, loaded }: OpenedSession, now: State): void {
  // A torn end is cut off first, which is journaled.
  if (now.seq === state.seq + (loaded.tornTail === undefined ? 0 : 1)) return;
  throw new LoopwrightError(
    "STATE_MOVED",
    `Session ${now.session_id} went on in the meantime, to line ${now.seq} of its journal`,
    { hint: "Nothing was changed; give the command again." },
  );
}
