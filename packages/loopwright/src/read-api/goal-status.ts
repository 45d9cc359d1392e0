import type { AttentionItem, GoalStatus, Phase, StateFile } from "@loopwright/protocol";

/** One goal as `/status` and `status --json` show it: counts and severities, texts cut at 80 characters. */
export function goalStatusOf(
  goal: { readonly id: string; readonly title: string; readonly nextAction?: string | null },
  session: {
    readonly state: StateFile;
    readonly phase: Phase;
    readonly attention: readonly AttentionItem[];
  } | null,
): GoalStatus {
  const { state } = session ?? {};
  const attention = session?.attention ?? [];
  return {
    id: goal.id,
    title: cut(goal.title),
    phase: session?.phase ?? null,
    status: state?.status ?? null,
    stop_reason: state?.stop_reason ?? null,
    verified: state?.verified ?? null,
    session_id: state?.session_id ?? null,
    iteration: state === undefined ? 0 : currentIteration(state),
    max_iterations: state?.limits.max_iterations ?? null,
    current_workflow: state?.task?.kind === "workflow" ? state.task.workflow_id : null,
    next_action: cutOrNull(goal.nextAction ?? state?.last?.recommended_action ?? null),
    warnings: 0,
    attention: { count: attention.length, severity: attention[0]?.severity ?? null },
    cost_usd: state === undefined ? null : knownCost(state),
    updated_at: state?.updated_at ?? null,
  };
}

/** The live iteration's number, or that of the last one. */
function currentIteration(state: StateFile): number {
  return state.task?.kind === "workflow" ? state.task.iteration : state.iterations;
}

/** Unknown isn't zero: null while nothing is known. */
function knownCost({ spent }: StateFile): number | null {
  return spent.cost_usd === 0 && spent.unknown_cost > 0 ? null : spent.cost_usd;
}

function cutOrNull(text: string | null): string | null {
  return text === null ? null : cut(text);
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = Array.from(line);
  return characters.length <= 80 ? line : `${characters.slice(0, 79).join("")}…`;
}
