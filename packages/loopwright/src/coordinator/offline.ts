import { join } from "node:path";
import type { Occurrence, State } from "@loopwright/engine";
import { iterationLayout } from "../store/iteration-layout.ts";
import { runtimeLayout } from "../store/layout.ts";
import { type Assembly, assemble } from "./assemble.ts";
import { loadSession } from "./load-session.ts";
import { takeGoalLock } from "./locks.ts";
import { asLoopwrightError } from "../read-api/http/problem.ts";
import { isStill } from "./recovery/context.ts";
import { isOver } from "./recovery/recover.ts";
import { recoverResult } from "./recovery/stored-result.ts";
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
 * `occurrenceFor` sees the state as it stands, and says undefined where nothing is to be journaled. A hard stop also ends what is left of the live attempt.
 * Throws LOCK_HELD when a coordinator lives after all: then ask it. `seq`: where the journal stands afterwards.
 */
export async function commitOffline(
  options: OfflineOptions,
  occurrenceFor: (state: State) => Occurrence | undefined,
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
        // Nothing is assigned here.
        accountOf: () => null,
      });
      const { service } = assembly;
      if (session.repaired !== undefined)
        service.commit({ kind: "repaired", repaired: session.repaired });
      const occurrence = occurrenceFor(service.state());
      if (occurrence !== undefined) service.commit(occurrence);
      await assembly.ender.carryOut();
      await awaitWorker(assembly);
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

/** How long a living worker has to end its agent after it was asked to. Monotonic ms. */
const WORKER_PATIENCE_MS = 15_000;
const LOOK_AGAIN_MS = 100;

/** A hard stop under a worker that lives and finds no coordinator: it leaves its result, which is recorded here. */
async function awaitWorker({ seams, service, recoverer, layout }: Assembly): Promise<void> {
  const { task, stop_requested } = service.state();
  if (task?.kind !== "workflow" || stop_requested === null || stop_requested.mode === "graceful")
    return;
  const files = iterationLayout(join(layout.directory, task.directory));
  const context = recoverer.context();
  const deadline = seams.clock.monotonic() + WORKER_PATIENCE_MS;
  while (isStill(context, task) && seams.clock.monotonic() < deadline) {
    if (isOver(seams, files) && recoverResult(context, task, files)) return;
    await seams.clock.sleep(LOOK_AGAIN_MS);
  }
}
