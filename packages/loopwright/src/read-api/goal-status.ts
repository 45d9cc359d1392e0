import { iterationOf } from "@loopwright/engine";
import type {
  AttentionItem,
  DriftWarning,
  GoalStatus,
  Phase,
  ProjectedSession,
} from "@loopwright/protocol";
import { oneLine } from "./words/printable.ts";

export interface ShownGoal {
  readonly id: string;
  readonly title: string;
  readonly session: ProjectedSession | null;
  readonly phase: Phase | null;
  readonly nextAction: string | null;
  readonly attention: readonly AttentionItem[];
  readonly warnings: readonly Pick<DriftWarning, "kind">[];
}

/** Of one goal as JSON, in UTF-8: with it thousands of goals stay an answer that one can poll. */
const BYTES = 500;

/**
 * One goal as `/status` and `status --json` show it: counts and severities, texts cut at 80 characters, and further
 * where all of it would be more than 500 bytes.
 */
export function goalStatusOf(goal: ShownGoal): GoalStatus {
  const base = baseOf(goal);
  const row = { ...base, ...moreOf(goal) };
  if (overOf(row) <= 0) return row;
  const untitled = cut(cut(row, "next_action"), "title");
  return overOf(untitled) <= 0 ? untitled : cut(cut(base, "next_action"), "title");
}

/** Bytes that are too many. */
function overOf(row: GoalStatus): number {
  return Buffer.byteLength(JSON.stringify(row)) - BYTES;
}

function cut(row: GoalStatus, field: "title" | "next_action"): GoalStatus {
  const over = overOf(row);
  if (over <= 0) return row;
  const text = shorter(row[field], over);
  return { ...row, [field]: field === "title" ? (text ?? "") : text };
}

/** Shorter by that many bytes and a mark that something is missing; null where nothing would be left. */
function shorter(text: string | null, bytes: number): string | null {
  const mark = "…";
  const room = Buffer.byteLength(text ?? "") - bytes - Buffer.byteLength(mark);
  let kept = "";
  for (const letter of text ?? "") {
    if (Buffer.byteLength(JSON.stringify(kept + letter)) - 2 > room) break;
    kept += letter;
  }
  return kept === "" ? null : kept + mark;
}

function baseOf(goal: ShownGoal): GoalStatus {
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
    warnings: goal.warnings.length,
    attention: { count: attention.length, severity: attention[0]?.severity ?? null },
    cost_usd: session === null ? null : knownCost(session),
    updated_at: session?.updated_at ?? null,
  };
}

function moreOf({ session, phase, warnings }: ShownGoal): Partial<GoalStatus> {
  const drift = [...new Set(warnings.map(({ kind }) => kind))].slice(0, 3);
  const drifting = drift.length === 0 ? {} : { drift };
  if (session === null) return drifting;
  const { limits, spent, hold_until: until } = session;
  const checks = checksOf(session);
  return {
    ...(limits.max_cost_usd === null ? {} : { max_cost_usd: limits.max_cost_usd }),
    ...(spent.unknown_cost === 0 ? {} : { unpriced: spent.unknown_cost }),
    ...(checks === null ? {} : { checks }),
    ...drifting,
    ...(phase === "waiting_provider" && until !== null
      ? { waiting_until: until }
      : { since: sinceOf(session, phase) }),
  };
}

function checksOf({ gate: { last }, iterations }: ProjectedSession) {
  if (last === null) return null;
  const count = (outcome: string): number =>
    last.receipt.checks.filter((check) => check.outcome === outcome).length;
  const at = iterationOf(last.directory) ?? iterations;
  return { pass: count("pass"), fail: count("fail"), error: count("error"), at };
}

/** As far as records say it: when the task began, the pause, the question; else the last that was recorded. */
function sinceOf(session: ProjectedSession, phase: Phase | null): string {
  const { task, paused, questions, updated_at } = session;
  if (phase === "executing" || phase === "verifying") return task?.started_at ?? updated_at;
  if (phase === "paused" || phase === "waiting_you")
    return paused?.at ?? questions.find(({ blocking }) => blocking)?.since ?? updated_at;
  return updated_at;
}

/** Unknown isn't zero: null while nothing is known. */
function knownCost({ spent }: ProjectedSession): number | null {
  return spent.cost_usd === 0 && spent.unknown_cost > 0 ? null : spent.cost_usd;
}
