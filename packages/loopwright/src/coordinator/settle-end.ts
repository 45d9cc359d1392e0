import { existsSync } from "node:fs";
import type { State } from "@loopwright/engine";
import { LoopwrightError, stateFile } from "@loopwright/protocol";
import { loadProjection, writeProjection } from "../control-plane/projection/index.ts";
import { runtimeLayout } from "../store/layout.ts";
import { readJsonIfPresent } from "../store/read.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import { createControlSwitch } from "./control-file.ts";
import { loadSession } from "./load-session.ts";
import { takeGoalLock } from "./locks.ts";
import type { OfflineOptions } from "./offline.ts";
import { createGoalPlan } from "./plan/goal-plan.ts";
import { createProjections } from "./projections.ts";
import { createReportWriter } from "./report-writer.ts";

/**
 * Writes what readers look at in a session that has ended, where its coordinator died between the commit of the end
 * and these files: no other coordinator will ever open it. Does nothing where one lives, which does it itself.
 */
export function settleEnd(
  { seams, runtimeRoot, goalId, sessionId }: OfflineOptions,
  state: State,
): void {
  const runtime = runtimeLayout(runtimeRoot);
  const goal = runtime.goal(goalId);
  if (isSettled(goal.session(sessionId), state)) return;
  try {
    const lock = takeGoalLock(seams, runtime, goalId);
    try {
      const locks = { epoch: lock.epoch, lost: () => lock.lost() };
      const session = loadSession(seams.disk, goal.session(sessionId), locks);
      session.journal.close();
      if (session.state.status === "running") return;
      const { layout, file } = session;
      createGoalPlan({ seams, goal, layout, file, onProblem }).settle(
        session.takeLines(),
        session.state,
      );
      const control = createControlSwitch(seams.disk, session.layout);
      createProjections(seams, session.layout, {
        state: () => session.state,
        control,
        lost: locks.lost,
        publish: () =>
          writeProjection(seams.disk, runtimeRoot, loadProjection(runtimeRoot, goalId, seams)),
        onProblem,
      }).flush();
      createReportWriter(seams.disk, session).write(session.state);
    } finally {
      lock.release();
    }
  } catch (error) {
    // The journal has everything; whoever reads it is told the same.
    if (!(error instanceof LoopwrightError)) throw error;
  }
}

function onProblem(error: unknown): never {
  throw error;
}

function isSettled(layout: SessionLayout, { status, seq }: State): boolean {
  if (status === "running") return true;
  try {
    return existsSync(layout.report) && readJsonIfPresent(layout.state, stateFile)?.seq === seq;
  } catch (error) {
    if (error instanceof LoopwrightError) return false;
    throw error;
  }
}
