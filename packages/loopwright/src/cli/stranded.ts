import { LoopwrightError, plural } from "@loopwright/protocol";
import type { ProcessInfo } from "../process/processes.ts";
import { stopAttempt } from "../process/stop-ladder.ts";
import { SESSION_MARKER } from "../process/marker.ts";
import { resolveSession } from "../store/session-lookup.ts";
import type { Context } from "./context.ts";
import { openSession } from "./open-session.ts";
import type { GoalTarget } from "./target.ts";

/** The newest session when its files can't be read, so that nobody can go on with it. */
export interface Unreadable {
  readonly sessionId: string;
  readonly error: LoopwrightError;
}

/** What makes a session unreadable, and stays so. */
const DAMAGE: ReadonlySet<string> = new Set(["JOURNAL_DAMAGED", "FILE_INVALID", "FILE_UNSAFE"]);

/** Undefined where there is no session, or one that can be read. Other faults are thrown. */
export function unreadableSession(target: Pick<GoalTarget, "layout">): Unreadable | undefined {
  let sessionId: string | undefined;
  try {
    sessionId = resolveSession(target.layout.sessions, "latest");
    openSession(target, sessionId);
    return undefined;
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    if (sessionId === undefined || !DAMAGE.has(error.code)) return undefined;
    return { sessionId, error };
  }
}

/** Agents and what they started, told by the session alone: no file of it is needed. */
export function agentsOf({ seams }: Context, sessionId: string): ProcessInfo[] {
  return seams.processes.marked(sessionId, SESSION_MARKER);
}

/** Ends the agents of a session that nobody can go on with. One sentence about what came of it. */
export async function endStranded({ seams }: Context, sessionId: string): Promise<string> {
  const { ended, survivors } = await stopAttempt({
    processes: seams.processes,
    clock: seams.clock,
    marker: sessionId,
    variable: SESSION_MARKER,
  });
  const gone = `${plural(ended.length, "process", "processes")} of its agents ended`;
  return survivors.length === 0
    ? gone
    : `${gone}, ${survivors.length} could not be: ${survivors.map(({ pid }) => pid).join(", ")}`;
}
