import { branchSwitchedWarning } from "@loopwright/engine";
import type { DriftWarning } from "@loopwright/protocol";
import type { Processes } from "../../process/processes.ts";
import type { Clock } from "../../seams/clock.ts";
import { runtimeLayout } from "../../store/layout.ts";
import { listSessions } from "../../store/session-lookup.ts";
import { loadProjection } from "../projection/index.ts";
import { readRunIndex } from "../run-index/index.ts";
import { readSession } from "../session/read-session.ts";
import { planDrift, recommendingRun } from "./plan-drift.ts";
import { sessionDrift } from "./session-drift.ts";

export interface DriftSeams {
  readonly clock: Pick<Clock, "wall">;
  readonly processes: Processes;
}

/**
 * Everything of a goal that disagrees, gravest first, also what is only to know. Reads the whole run index and journal:
 * `status` shows less and costs less. Throws JOURNAL_DAMAGED, FILE_UNSAFE and what else can't be read.
 */
export function goalDrift(runtimeRoot: string, goalId: string, seams: DriftSeams): DriftWarning[] {
  const goal = runtimeLayout(runtimeRoot).goal(goalId);
  const seen = loadProjection(runtimeRoot, goalId, seams);
  const { active_state: state, session } = seen;
  const { rows } = readRunIndex(goal.runs);
  const found: DriftWarning[] = planDrift({
    goalId,
    activeState: state && {
      digest: state.digest,
      nextAction: state.next_action,
      openTodos: state.open_todos,
    },
    // The whole index, not only the end that a projection looks at.
    latest: rows.at(-1) ?? null,
    recommending: recommendingRun(rows),
  });
  const latest = listSessions(goal.sessions).at(-1);
  if (latest !== undefined && session !== null) {
    const branch = branchSwitchedWarning({
      goalId,
      left: session.left,
      now: seen.checkout,
      live: session.status === "running",
    });
    if (branch !== null) found.push(branch);
    found.push(
      ...sessionDrift({
        goalId,
        session: readSession(goal.session(latest).directory),
        coordinator: seen.coordinator,
        stateDigest: state?.digest ?? null,
        processes: seams.processes,
      }),
    );
  }
  return found.toSorted((a, b) => GRAVITY[b.severity] - GRAVITY[a.severity]);
}

const GRAVITY = { info: 0, watch: 1, action: 2 };
