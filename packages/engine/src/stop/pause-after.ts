import type { PauseReason } from "@loopwright/protocol";
import type { Finished } from "../transition/occurrence.ts";

export interface Pause {
  readonly reason: PauseReason;
  readonly detail: string;
}

const CRASH_LOOP = 3;

/**
 * What waits for a person at the first time it happens: a login, a configuration, a permission, a checkout that is
 * gone; or a third crash in a row. And what waits for room on the disk. Without a pause each of these would use up the
 * iterations in seconds.
 */
export function pauseAfter(finished: Finished, crashesInRow: number): Pause | null {
  const evidence = finished.evidence === undefined ? "" : `: ${finished.evidence}`;
  const where = `${finished.workflow_id} in iteration ${finished.iteration}`;
  if (finished.cause === "auth")
    return { reason: "auth", detail: `The account of ${where} was not accepted${evidence}` };
  if (finished.cause === "config")
    return {
      reason: "config",
      detail: `The agent of ${where} is not configured rightly${evidence}`,
    };
  if (finished.outcome === "workspace_gone")
    return { reason: "workspace", detail: `The checkout was gone for ${where}${evidence}` };
  // Goes on by itself: whoever watches the disk resumes when there is room.
  if (finished.outcome === "disk")
    return { reason: "disk", detail: `The disk had no room for ${where}${evidence}` };
  if (finished.outcome === "denied" && finished.report.state !== "valid") {
    return {
      reason: "denied",
      detail: `The agent of ${where} was refused a permission and left no report${evidence}`,
    };
  }
  return crashLoop(finished.workflow_id, crashesInRow);
}

export function crashLoop(workflowId: string, crashesInRow: number): Pause | null {
  if (crashesInRow < CRASH_LOOP) return null;
  return {
    reason: "crash_loop",
    detail: `${workflowId} crashed ${crashesInRow} times in a row after its agent had started.`,
  };
}
