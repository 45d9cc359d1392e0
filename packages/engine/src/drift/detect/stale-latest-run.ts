import type { DriftFactWarning, RunRow } from "@loopwright/protocol";
import { type AboutGoal, shortDigest, warn } from "./warn.ts";

export interface LatestRunFacts extends AboutGoal {
  /** Null: nothing ran yet. */
  readonly latestRun: Pick<RunRow, "run_id" | "state_digest" | "generated_at"> | null;
  /** Of `ACTIVE_STATE.md` now; null when it is gone. */
  readonly activeStateDigest: string | null;
}

/** The active state changed since the latest run: what that run recommends may be answered already. */
export function staleLatestRunWarning({
  latestRun,
  activeStateDigest,
  goalId = "GOAL",
}: LatestRunFacts): DriftFactWarning | null {
  if (latestRun === null || latestRun.state_digest === activeStateDigest) return null;
  const gone = activeStateDigest === null;
  return warn({
    kind: "stale_latest_run",
    severity: gone ? "action" : "watch",
    reason: gone
      ? "The active state that the latest run was based on is gone."
      : "The active state was changed after the latest run, so that run's recommendation may be out of date.",
    recommended: gone
      ? `Put ACTIVE_STATE.md back, then: loopwright refresh ${goalId}`
      : `Take the changed state up: loopwright refresh ${goalId}`,
    evidence: [
      {
        source: "runs.jsonl",
        says: `run ${latestRun.run_id} of ${latestRun.generated_at} saw the state ${shortDigest(latestRun.state_digest)}`,
      },
      { source: "ACTIVE_STATE.md", says: `is now ${shortDigest(activeStateDigest)}` },
    ],
  });
}
