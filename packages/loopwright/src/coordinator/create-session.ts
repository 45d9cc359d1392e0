import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { react } from "@loopwright/engine";
import { rulesOf } from "../control-plane/project/freeze.ts";
import { timestamp } from "../seams/clock.ts";
import type { GoalLayout } from "../store/layout.ts";
import { createSessionDirectory } from "../store/session-directory.ts";
import { goalHash, sessionIdFor } from "../store/session-id.ts";
import type { Seams } from "./seams.ts";
import { sessionFileOf, type SessionPlan } from "./session-plan.ts";

/** Makes the directory of a new session, with `session_started` as its first line. Returns its id. */
export function createSession(
  seams: Seams,
  goal: GoalLayout,
  plan: SessionPlan,
  epoch: number,
): string {
  const at = timestamp(seams.clock);
  const taken = (id: string): boolean => existsSync(goal.session(id).directory);
  const sessionId = sessionIdFor(plan.goalText, seams.clock.wall(), taken);
  const goalSha256 = goalHash(plan.goalText);
  const session = sessionFileOf(plan, { sessionId, goalSha256, createdAt: at });
  const records = react(null, {
    kind: "started",
    started: {
      session_id: sessionId,
      goal_id: plan.goalId,
      goal_sha256: goalSha256,
      session_sha256: sessionHash(`${JSON.stringify(session, null, 2)}\n`),
      workflow_set: plan.workflowSet,
      repository: plan.repository,
      base_commit: plan.baseCommit,
      base_tree: plan.baseTree,
      rules: rulesOf(plan.configuration, plan.workflows, plan.pins),
      red_before: plan.redBefore,
      program_version: plan.programVersion,
    },
  });
  createSessionDirectory(seams.disk, goal.session(sessionId).directory, {
    goalText: plan.goalText,
    session,
    first: { at, epoch, records },
  });
  return sessionId;
}

/** sha256 of `session.json` as it stands, which the journal's first record vouches for. */
export function sessionHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
