import type { SchedulingRules } from "@loopwright/protocol";
import { judgeProgress } from "../progress/judge-progress.ts";
import { isDrifted } from "../state/diagnoses.ts";
import { countersOf } from "../state/counters.ts";
import { judgeOutcome } from "../stop/failure.ts";
import { pauseAfter } from "../stop/pause-after.ts";
import { add, type Draft } from "./draft.ts";
import type { Recorded } from "./recorded.ts";
import type { Finished, Plan } from "./occurrence.ts";
import { recordControl } from "./record-control.ts";

/** Steps 1 to 4 of recording a finished task. */
export function recordFinished(draft: Draft, finished: Finished, plan?: Plan): Recorded {
  const { task } = draft.state;
  if (
    task?.kind !== "workflow" ||
    task.attempt_id !== finished.attempt_id ||
    task.iteration !== finished.iteration ||
    task.workflow_id !== finished.workflow_id
  ) {
    return null;
  }
  const workflow = draft.state.rules.workflows.find((each) => each.id === finished.workflow_id);
  const judgement = judgeOutcome(finished, workflow);
  add(draft, "task_finished", {
    ...finished,
    ...judgement,
    progress: judgeProgress(draft.state, finished),
  });
  recordGoalCheck(draft, finished, workflow);
  recordControl(draft, finished, workflow);
  recordReport(draft, finished, judgement.succeeded);
  if (workflow?.plans === true && plan !== undefined)
    recordPlan(draft, finished, plan, judgement.succeeded);
  return {
    pause: pauseAfter(
      finished,
      countersOf(draft.state.workflows, finished.workflow_id).crashes_in_row,
    ),
    launch: true,
  };
}

function recordGoalCheck(
  draft: Draft,
  finished: Finished,
  workflow: SchedulingRules | undefined,
): void {
  const { iteration, workflow_id, goal_check: found } = finished;
  if (workflow?.emits_goal_check !== true || !finished.orderly) return;
  if (found.state === "valid") {
    const { goal_met, reason } = found.value;
    return add(draft, "goal_check_recorded", {
      iteration,
      workflow_id,
      valid: true,
      goal_met,
      reason,
    });
  }
  const reason = found.state === "absent" ? "it is missing" : found.reason;
  add(draft, "goal_check_recorded", {
    iteration,
    workflow_id,
    valid: false,
    goal_met: null,
    reason,
  });
}

function recordReport(draft: Draft, finished: Finished, succeeded: boolean): void {
  if (finished.report.state !== "valid") return;
  const { inputs, questions } = finished.report.value;
  for (const { id, disposition, note } of succeeded ? inputs : []) {
    if (!draft.state.inputs.some((pending) => pending.id === id)) continue;
    add(draft, "input_disposed", {
      id,
      iteration: finished.iteration,
      disposition,
      ...(note === undefined ? {} : { note }),
    });
  }
  for (const question of questions) {
    if (draft.state.questions.some((asked) => asked.id === question.id)) continue;
    add(draft, "question_asked", { ...question, iteration: finished.iteration });
  }
}

/** Only a success moves the goal's route; what else disagrees is to be settled. */
function recordPlan(draft: Draft, finished: Finished, plan: Plan, succeeded: boolean): void {
  const { report } = finished;
  if (report.state !== "valid" || report.value.recommended_action === undefined) return;
  const settles = succeeded && (plan.moved ?? plan.resolved) !== undefined;
  if (settles && plan.moved !== undefined) add(draft, "next_action_moved", plan.moved);
  if (settles && plan.resolved !== undefined && isDrifted(draft.state))
    add(draft, "drift_resolved", plan.resolved);
  if (!settles && plan.drift !== undefined) add(draft, "drift_detected", plan.drift);
}
