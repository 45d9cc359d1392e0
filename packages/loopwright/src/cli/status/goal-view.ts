import type { State } from "@loopwright/engine";
import {
  type AttentionItem,
  type GoalStatus,
  LoopwrightError,
  type Phase,
} from "@loopwright/protocol";
import { nextActionOf } from "../../control-plane/active-state/index.ts";
import { isForeignRegistry } from "../../control-plane/foreign-registry.ts";
import { listSessions } from "../../store/session-lookup.ts";
import { readText } from "../../store/read.ts";
import type { Context } from "../context.ts";
import { openSession } from "../open-session.ts";
import { oneLine } from "../../read-api/words/printable.ts";
import type { GoalTarget } from "../target.ts";
import { attentionOf } from "./attention.ts";
import { dormantItems } from "./dormant.ts";
import { viewLoopxGoal } from "./loopx-view.ts";
import { type Holder, holderOf, phaseOf } from "./phase.ts";

/** A goal with what its newest session says, as files and processes stand when asked. */
export interface GoalView {
  readonly target: GoalTarget;
  /** The registry's, else what the newest session was started with. */
  readonly title: string;
  readonly sessions: number;
  readonly state: State | undefined;
  readonly phase: Phase | undefined;
  readonly holder: Holder;
  readonly nextAction: string | undefined;
  readonly attention: readonly AttentionItem[];
  readonly warnings?: number;
  /** Of another program's project: what is shown in place of a session. */
  readonly foreign?: { readonly phase: string; readonly lines: readonly string[] };
}

/** Never throws for what is wrong with one goal: that becomes attention, so that the others are still shown. */
export function viewGoal(context: Context, target: GoalTarget): GoalView {
  const { seams } = context;
  const empty: GoalView = {
    target,
    title: target.goal.title,
    sessions: 0,
    state: undefined,
    phase: undefined,
    holder: { liveness: "none" },
    nextAction: undefined,
    attention: [],
  };
  try {
    if (isForeignRegistry(target.registryPath)) return viewLoopxGoal(context, target, empty);
    const text = readText(target.layout.activeState);
    const nextAction = text === undefined ? undefined : nextActionOf(text);
    const sessions = listSessions(target.layout.sessions).length;
    const dormant = dormantItems(target, new Date(seams.clock.wall()).toISOString());
    if (sessions === 0) return { ...empty, nextAction, attention: dormant };
    const holder = holderOf(target.layout.lock, seams.processes);
    const { state, session } = openSession(target, "latest");
    const phase = phaseOf(state, holder, seams.processes);
    const attention = [...dormant, ...attentionOf(target.goal.id, state, phase, holder)];
    const title = target.goal.title === "" ? session.title : target.goal.title;
    return { target, title, sessions, state, phase, holder, nextAction, attention };
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    return {
      ...empty,
      attention: [unreadable(target.goal.id, error, new Date(seams.clock.wall()).toISOString())],
    };
  }
}

/** The row of `status --json`. */
export function goalStatusOf({
  target,
  title,
  state,
  phase,
  nextAction,
  attention,
  warnings = 0,
}: GoalView): GoalStatus {
  const task = state?.task;
  return {
    id: target.goal.id,
    title: oneLine(title, 80),
    phase: phase ?? null,
    status: state?.status ?? null,
    stop_reason: state?.stop_reason ?? null,
    verified: state?.verified ?? null,
    session_id: state?.session_id ?? null,
    iteration: task?.kind === "workflow" ? task.iteration : (state?.iterations ?? 0),
    max_iterations: state?.limits.max_iterations ?? null,
    current_workflow: task?.kind === "workflow" ? task.workflow_id : null,
    next_action: nextAction === undefined ? null : oneLine(nextAction, 80),
    warnings,
    attention: { count: attention.length, severity: attention[0]?.severity ?? null },
    cost_usd:
      state === undefined || (state.spent.cost_usd === 0 && state.spent.unknown_cost > 0)
        ? null
        : state.spent.cost_usd,
    updated_at: state?.updated_at ?? null,
  };
}

function unreadable(goalId: string, error: LoopwrightError, since: string): AttentionItem {
  return {
    goal_id: goalId,
    waiting_on: "you",
    severity: "high",
    kind: error.code.toLowerCase(),
    since,
    text: error.message,
    next_command: "loopwright doctor",
  };
}
