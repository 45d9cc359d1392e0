import type { AttentionItem, GoalStatus, Phase, ProjectedSession } from "@loopwright/protocol";
import { oneLine } from "./words/printable.ts";

export interface ShownGoal {
  readonly id: string;
  readonly title: string;
  readonly session: ProjectedSession | null;
  readonly phase: Phase | null;
  readonly nextAction: string | null;
  readonly attention: readonly AttentionItem[];
  /** How many. */
  readonly warnings: number;
}

/** One goal as `/status` and `status --json` show it: counts and severities, texts cut at 80 characters. */
export function goalStatusOf(goal: ShownGoal): GoalStatus {
  const { session, attention } = goal;
  const task = session?.task ?? null;
  return {
    id: goal.id,
    title: oneLine(goal.title, 80),
    phase: goal.phase,
    status: session?.status ?? null,
    stop_reason: session?.stop_reason ?? null,
    verified: session?.verified ?? null,
    session_id: session?.session_id ?? null,
    iteration: task?.kind === "workflow" ? task.iteration : (session?.iterations ?? 0),
    max_iterations: session?.limits.max_iterations ?? null,
    current_workflow: task?.kind === "workflow" ? task.workflow_id : null,
    next_action: goal.nextAction === null ? null : oneLine(goal.nextAction, 80),
    warnings: goal.warnings,
    attention: { count: attention.length, severity: attention[0]?.severity ?? null },
    cost_usd: session === null ? null : knownCost(session),
    updated_at: session?.updated_at ?? null,
  };
}

/** Unknown isn't zero: null while nothing is known. */
function knownCost({ spent }: ProjectedSession): number | null {
  return spent.cost_usd === 0 && spent.unknown_cost > 0 ? null : spent.cost_usd;
}
