import { plural } from "@loopwright/protocol";
import { loopxAttention } from "../../control-plane/loopx/attention.ts";
import { readLoopxGoal } from "../../control-plane/loopx/read-loopx-goal.ts";
import { timestamp } from "../../seams/clock.ts";
import type { Context } from "../context.ts";
import { oneLine } from "../../read-api/words/printable.ts";
import type { GoalTarget } from "../target.ts";
import type { GoalView } from "./goal-view.ts";

/** A LoopX goal, read in place. It has no session; what it has is told in lines of its own. */
export function viewLoopxGoal(
  { seams, home }: Context,
  target: GoalTarget,
  empty: GoalView,
): GoalView {
  const goal = readLoopxGoal(target.registryPath, target.runtimeRoot, target.goal, home);
  const { state, latest } = goal;
  const openTodos = state?.todos.filter((todo) => todo.state === "open").length ?? 0;
  return {
    ...empty,
    title: goal.title === "" ? oneLine(state?.objective ?? "", 100) : goal.title,
    nextAction: state?.nextActions[0] ?? null,
    attention: loopxAttention(goal, timestamp(seams.clock)),
    warnings: goal.drift === null ? [] : [goal.drift],
    foreign: {
      phase: `LoopX, ${goal.stopped ? "stopped, " : ""}${plural(goal.runs.length, "run")}`,
      lines: [
        ...(state?.nextActions[0] === undefined
          ? []
          : [`next    ${oneLine(state.nextActions[0], 100)}`]),
        ...(latest === null
          ? []
          : [
              `last    ${latest.generated_at} ${latest.classification}: ${oneLine(latest.recommended_action ?? "", 100)}`,
            ]),
        `todos   ${openTodos} open of ${state?.todos.length ?? 0}`,
        `files   ${goal.stateFile ?? target.layout.directory}`,
      ],
    },
  };
}
