import { z } from "zod";

export const SESSION_STATUSES = ["running", "goal_met", "stopped", "failed"] as const;
export const sessionStatus = z.enum(SESSION_STATUSES);
export type SessionStatus = z.output<typeof sessionStatus>;

export const STOP_REASONS = [
  "goal_met",
  "user_stop",
  "unresolvable_error",
  "workflow_failure_cap",
  "gate_error",
  "claim_refused",
  "control_broken",
  "max_iterations",
  "max_wall_clock",
  "max_tokens",
  "max_cost_usd",
  "no_progress",
  "no_eligible_workflow",
  "baseline_green",
  "baseline_error",
] as const;
export const stopReason = z.enum(STOP_REASONS);
export type StopReason = z.output<typeof stopReason>;

/** The status that each reason ends with. */
export const STATUS_OF_REASON: Record<StopReason, Exclude<SessionStatus, "running">> = {
  goal_met: "goal_met",
  user_stop: "stopped",
  unresolvable_error: "failed",
  workflow_failure_cap: "failed",
  gate_error: "stopped",
  claim_refused: "stopped",
  control_broken: "stopped",
  max_iterations: "stopped",
  max_wall_clock: "stopped",
  max_tokens: "stopped",
  max_cost_usd: "stopped",
  no_progress: "stopped",
  no_eligible_workflow: "failed",
  baseline_green: "stopped",
  baseline_error: "stopped",
};

/** How a session ended, in words: `stopped (max_iterations)`; a met goal has one reason, which isn't said twice. */
export function endingText(status: SessionStatus, reason: StopReason | null): string {
  return reason === null || reason === status ? status : `${status} (${reason})`;
}

/** `graceful`: after this iteration. `now`: `cancel.json` and the worker's stop ladder. `kill`: the coordinator runs it. */
export const stopMode = z.enum(["graceful", "now", "kill"]);
export type StopMode = z.output<typeof stopMode>;

export const pauseReason = z.enum([
  "user",
  "disk",
  "auth",
  "config",
  "denied",
  "workspace",
  "crash_loop",
  "question",
]);
export type PauseReason = z.output<typeof pauseReason>;
