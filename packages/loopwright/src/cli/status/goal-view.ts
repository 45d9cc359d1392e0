import {
  type AttentionItem,
  LoopwrightError,
  type Phase,
  type ProjectedSession,
} from "@loopwright/protocol";
import { isForeignRegistry } from "../../control-plane/foreign-registry.ts";
import { type Holder, loadProjection, named } from "../../control-plane/projection/index.ts";
import type { ShownGoal } from "../../read-api/goal-status.ts";
import { timestamp } from "../../seams/clock.ts";
import type { Context } from "../context.ts";
import type { GoalTarget } from "../target.ts";

/** A goal with what its newest session says, as files, git and processes are when asked. */
export interface GoalView extends ShownGoal {
  readonly target: GoalTarget;
  /** The registry's, else what the newest session was started with. */
  readonly title: string;
  readonly sessions: number;
  readonly session: ProjectedSession | null;
  readonly phase: Phase | null;
  readonly coordinator: Holder;
  /** Of another program's project: what is shown in place of a session. */
  readonly foreign?: { readonly phase: string; readonly lines: readonly string[] };
}

/** Never throws for what is wrong with one goal: that becomes attention, so that the others are still shown. */
export async function viewGoal(context: Context, target: GoalTarget): Promise<GoalView> {
  const { goal, runtimeRoot } = target;
  try {
    if (isForeignRegistry(target.registryPath)) {
      // Loaded only for who has such a project.
      const { viewLoopxGoal } = await import("./loopx-view.ts");
      return viewLoopxGoal(context, target, emptyView(target));
    }
    const projection = loadProjection(runtimeRoot, goal.id, context.seams);
    const { session, phase, sessions, coordinator, attention, warnings } = projection;
    return {
      id: goal.id,
      target,
      title: goal.title === "" ? (session?.title ?? "") : goal.title,
      sessions,
      session,
      phase,
      coordinator,
      nextAction: projection.active_state?.next_action ?? null,
      attention,
      warnings,
    };
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    const since = timestamp(context.seams.clock);
    return { ...emptyView(target), attention: named([unreadable(goal.id, error, since)]) };
  }
}

function emptyView(target: GoalTarget): GoalView {
  return {
    id: target.goal.id,
    target,
    title: target.goal.title,
    sessions: 0,
    session: null,
    phase: null,
    coordinator: { liveness: "none" },
    nextAction: null,
    attention: [],
    warnings: [],
  };
}

function unreadable(
  goalId: string,
  error: LoopwrightError,
  since: string,
): Omit<AttentionItem, "id"> {
  return {
    goal_id: goalId,
    waiting_on: "you",
    severity: "high",
    kind: error.code.toLowerCase(),
    since,
    text: error.message,
    blocks: true,
    next_command: "loopwright doctor",
  };
}
