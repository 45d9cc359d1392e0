import type { Occurrence, State } from "@loopwright/engine";
import { runtimeLayout } from "../store/layout.ts";
import { assemble } from "./assemble.ts";
import { endLiveTask } from "./ending.ts";
import { loadSession } from "./load-session.ts";
import { takeGoalLock } from "./locks.ts";
import { asLoopwrightError } from "./routes/problem.ts";
import { createReportWriter } from "./report-writer.ts";
import type { Seams } from "./seams.ts";

export interface OfflineOptions {
  readonly seams: Seams;
  readonly runtimeRoot: string;
  readonly goalId: string;
  readonly sessionId: string;
  readonly version: string;
}

/**
 * A stop, pause, resume or manual receipt while no coordinator lives: takes the goal's lock, journals, gives it up.
 * `occurrenceFor` sees the state as it stands. A hard stop also ends what is left of the live attempt.
 * Throws LOCK_HELD when a coordinator lives after all: then ask it. `seq`: where the journal stands afterwards.
 */
export async function commitOffline(
  options: OfflineOptions,
  occurrenceFor: (state: State) => Occurrence,
): Promise<{ readonly seq: number; readonly state: State }> {
  const { seams, runtimeRoot, goalId, sessionId, version } = options;
  const goal = runtimeLayout(runtimeRoot).goal(goalId);
  const lock = takeGoalLock(seams, runtimeLayout(runtimeRoot), goalId);
  const locks = { epoch: lock.epoch, lost: () => lock.lost(), release: () => lock.release() };
  try {
    const session = loadSession(seams.disk, goal.session(sessionId), locks);
    try {
      const problems: unknown[] = [];
      const fail = (error: unknown): void => void problems.push(error);
      const assembly = assemble({
        seams,
        runtimeRoot,
        goal,
        session,
        locks,
        version,
        reopen: undefined,
        onLost: fail,
        onEnded: () => undefined,
        onProblem: fail,
      });
      const { service } = assembly;
      if (session.repaired !== undefined)
        service.commit({ kind: "repaired", repaired: session.repaired });
      service.commit(occurrenceFor(service.state()));
      const { stop_requested, status } = service.state();
      if (status === "running" && stop_requested !== null && stop_requested.mode !== "graceful") {
        await endLiveTask(assembly, stop_requested.mode);
      }
      if (problems.length > 0) throw asLoopwrightError(problems[0]);
      assembly.projections.flush();
      assembly.service.close();
      if (service.state().status !== "running")
        createReportWriter(seams.disk, session).write(service.state());
      return { seq: service.state().seq, state: service.state() };
    } finally {
      session.journal.close();
    }
  } finally {
    lock.release();
  }
}
