import { existsSync } from "node:fs";
import { openRecord, type SessionRecord } from "../read-api/session/open-record.ts";
import type { GoalLayout } from "../store/layout.ts";

/** Sessions whose journals are followed at the moment: those that somebody looked at last. */
export interface SessionShelf {
  /** Up to date. Undefined: the goal has no such session. Throws JOURNAL_DAMAGED. */
  take(goalId: string, goal: GoalLayout, sessionId: string): SessionRecord | undefined;
}

const KEPT = 128;

export function createSessionShelf(): SessionShelf {
  const kept = new Map<string, SessionRecord>();
  return {
    take(goalId, goal, sessionId) {
      const key = `${goalId}/${sessionId}`;
      const layout = goal.session(sessionId);
      const known = kept.get(key);
      kept.delete(key);
      if (!existsSync(layout.journal)) return undefined;
      if (known !== undefined) known.journal.poll();
      const record = known ?? openRecord(goalId, sessionId, layout);
      kept.set(key, record);
      const oldest = kept.keys().next().value;
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
      return record;
    },
  };
}
