import type { Occurrence, State } from "@loopwright/engine";
import { endingText, LoopwrightError, type WriteName } from "@loopwright/protocol";
import type { Context } from "./context.ts";
import { openSession, type OpenedSession } from "./open-session.ts";
import { findCoordinator } from "./people-client.ts";
import { findGoal, type GoalTarget } from "./target.ts";
import { VERSION } from "./version.ts";

export interface Steered {
  readonly target: GoalTarget;
  readonly sessionId: string;
  readonly seq: number;
  readonly id?: string | undefined;
  /** A coordinator was asked; otherwise we took the lock and journaled it ourselves. */
  readonly live: boolean;
  readonly state: State;
}

/** Asks the coordinator of the goal's newest session or, where none lives, journals it under the goal's lock. */
export async function steer(
  context: Context,
  name: WriteName,
  body: object,
  offline: (opened: OpenedSession) => Occurrence,
): Promise<Steered> {
  const target = findGoal(context);
  const opened = openSession(target, "latest");
  const { seams } = context;
  const client = findCoordinator(seams, target.goal.id, opened.layout);
  if (client !== undefined) {
    const written = await client.post(name, { ...body, by: "user" });
    return { target, sessionId: opened.id, ...written, live: true, state: opened.state };
  }
  refuseEnded(opened.state);
  const { commitOffline } = await import("../coordinator/offline.ts");
  const { seq, state } = await commitOffline(
    {
      seams,
      runtimeRoot: target.runtimeRoot,
      goalId: target.goal.id,
      sessionId: opened.id,
      version: VERSION,
    },
    () => offline(opened),
  );
  return { target, sessionId: opened.id, seq, live: false, state };
}

/** Throws SESSION_ENDED with the way on. */
export function refuseEnded(state: State): void {
  if (state.status === "running") return;
  const way =
    state.status === "goal_met"
      ? "loopwright run --new"
      : "loopwright resume, or loopwright run --new";
  throw new LoopwrightError(
    "SESSION_ENDED",
    `Session ${state.session_id} has ended: ${endingText(state.status, state.stop_reason)}`,
    {
      hint: `Go on with: ${way}`,
    },
  );
}
