import { createHash } from "node:crypto";
import { below } from "./below.ts";
import { pathSegment } from "./path-segment.ts";
import { type SessionLayout, sessionLayout } from "./session-layout.ts";
import { sessionIdParts } from "./session-id.ts";

/** Where everything of a runtime root lies. Pure: nothing is looked at or made. */
export interface RuntimeLayout {
  readonly root: string;
  readonly goals: string;
  readonly checkouts: string;
  readonly projections: string;
  readonly archivedGoals: string;
  readonly archiveLog: string;
  readonly accounts: string;
  readonly usage: string;
  /** When somebody last looked at what all goals do. */
  readonly seen: string;
  /** Throws GOAL_ID_INVALID before an id can touch a path. */
  goal(goalId: string): GoalLayout;
  projection(goalId: string): string;
  /** Base of the lock of a checkout, named by the work tree's real path (the caller resolves it). */
  checkoutLock(realPath: string): string;
  account(provider: string, account: string): string;
  /** `day`: `YYYY-MM-DD`. */
  usageOf(day: string): string;
}

export interface GoalLayout {
  readonly directory: string;
  readonly goalJson: string;
  readonly activeState: string;
  readonly runs: string;
  readonly pins: string;
  readonly locks: string;
  /** Base of the goal's single-writer lock. */
  readonly lock: string;
  readonly sessions: string;
  readonly reserve: string;
  /** `sha256`: 64 hex digits. */
  pin(sha256: string): string;
  /** Also for child sessions, whose ids say which session they lie in. Throws SESSION_NOT_FOUND for a bad id. */
  session(sessionId: string): SessionLayout;
}

export function runtimeLayout(root: string): RuntimeLayout {
  const at = below(root);
  return {
    root,
    goals: at("goals"),
    checkouts: at("checkouts"),
    projections: at("projections"),
    archivedGoals: at("archived-goals"),
    archiveLog: at("archive-log.jsonl"),
    accounts: at("accounts"),
    usage: at("usage"),
    seen: at("seen.json"),
    goal: (goalId) => goalLayout(at("goals", goalSegment(goalId))),
    projection: (goalId) => at("projections", `${goalSegment(goalId)}.json`),
    checkoutLock: (realPath) =>
      at("checkouts", createHash("sha256").update(realPath).digest("hex").slice(0, 16)),
    account: (provider, account) =>
      at(
        "accounts",
        `${pathSegment(`${provider}-${account}`, "account name", "FILE_UNSAFE")}.json`,
      ),
    usageOf: (day) => at("usage", `${pathSegment(day, "day", "FILE_UNSAFE")}.jsonl`),
  };
}

/** The layout of one goal directory, wherever it lies (an archived goal has the same one). */
export function goalLayout(directory: string): GoalLayout {
  const at = below(directory);
  return {
    directory,
    goalJson: at("goal.json"),
    activeState: at("ACTIVE_STATE.md"),
    runs: at("runs.jsonl"),
    pins: at("pins"),
    locks: at("locks"),
    lock: at("locks", "coordinator"),
    sessions: at("sessions"),
    reserve: at("reserve"),
    pin: (sha256) => at("pins", pathSegment(sha256, "content hash", "FILE_UNSAFE")),
    session: (sessionId) => sessionLayout(at("sessions", ...sessionPath(sessionId))),
  };
}

function goalSegment(goalId: string): string {
  return pathSegment(goalId, "goal id", "GOAL_ID_INVALID");
}

/** `a-c01-c02` lies at `a/children/a-c01/children/a-c01-c02`. */
function sessionPath(sessionId: string): string[] {
  const { root, children } = sessionIdParts(sessionId);
  return [root, ...children.flatMap((child) => ["children", child])];
}
