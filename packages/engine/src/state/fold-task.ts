import type { JournalRecordOf, RecordData } from "@loopwright/protocol";
import { isImplementing } from "../schedule/roles.ts";
import {
  changeCounters,
  countersOf,
  countFailure,
  countStart,
  countSuccess,
  type Counters,
} from "./counters.ts";
import { progressDiagnosis, withDiagnosis, withoutDiagnoses } from "./diagnoses.ts";
import { addSignature, signature } from "./signature-set.ts";
import { dearer, spend } from "./spending.ts";
import type { Stamp, State } from "./state.ts";

type TaskRecord =
  | JournalRecordOf<"task_assigned">
  | JournalRecordOf<"task_finished">
  | JournalRecordOf<"task_abandoned">
  | JournalRecordOf<"task_withdrawn">
  | JournalRecordOf<"workflow_benched">;

/** One iteration: assigned, then finished, abandoned or withdrawn. */
export function foldTask(state: State, { type, data }: TaskRecord, stamp: Stamp): State {
  switch (type) {
    case "task_assigned":
      return assign(state, data, stamp);
    case "task_finished":
      return finish(state, data, stamp);
    case "task_abandoned":
      return abandon(state, data, stamp);
    case "task_withdrawn":
      return withdraw(state, data);
    case "workflow_benched":
      return {
        ...state,
        workflows: changeCounters(state.workflows, data.workflow_id, { benched: true }),
      };
  }
}

function assign(state: State, data: RecordData<"task_assigned">, stamp: Stamp): State {
  const { starts, last_start } = countersOf(state.workflows, data.workflow_id);
  const { workflow_id, iteration, attempt_id, directory, inputs, request } = data;
  return {
    ...state,
    task: {
      kind: "workflow",
      workflow_id,
      iteration,
      attempt_id,
      directory,
      inputs,
      request,
      epoch: stamp.epoch,
      started_at: stamp.at,
    },
    workflows: countStart(state.workflows, workflow_id, iteration),
    before_start: { starts, last_start },
    // An agent may change what no digest covers: ignored files, a database, a service.
    gate: { ...state.gate, receipts: [] },
    explanation: data.explanation,
  };
}

function finish(state: State, data: RecordData<"task_finished">, stamp: Stamp): State {
  const tree = data.changes?.tree_digest ?? null;
  const report = data.report.state === "valid" ? data.report.value : null;
  const without =
    data.progress === "progress" ? 0 : state.progress.without + (data.progress === "none" ? 1 : 0);
  const workflow = state.rules.workflows.find((each) => each.id === data.workflow_id);
  const { gate, limits } = { gate: state.rules.gate, limits: state.limits };
  return {
    ...state,
    task: null,
    before_start: null,
    iterations: data.iteration,
    spent: spend(state.spent, data),
    workflows: countOutcome(state, data),
    progress: { ...state.progress, without },
    seen: tree === null ? state.seen : addSignature(state.seen, signature(tree, state.passing)),
    advisory_due:
      gate.run === "implementing" &&
      gate.checks.length > 0 &&
      workflow !== undefined &&
      isImplementing(workflow),
    diagnosis: progressDiagnosis(settledBy(state, data), without, limits.no_progress_after),
    last: {
      iteration: data.iteration,
      workflow_id: data.workflow_id,
      outcome: data.outcome,
      cause: data.cause ?? null,
      succeeded: data.succeeded,
      summary: report?.summary ?? "",
      recommended_action: report?.recommended_action ?? null,
      tree_digest: tree,
      at: stamp.at,
    },
  };
}

function countOutcome(state: State, data: RecordData<"task_finished">): Counters {
  const { workflow_id: id } = data;
  const request = state.task?.kind === "workflow" ? state.task.request : null;
  const own = countersOf(state.workflows, id);
  const crashes_in_row = data.cause === "crash" && data.started ? own.crashes_in_row + 1 : 0;
  const counters = changeCounters(state.workflows, id, {
    dearest: dearer(own.dearest, data),
    crashes_in_row,
  });
  if (data.succeeded)
    return countSuccess(counters, state.rules.workflows, id, data.iteration, request);
  return data.counted ? countFailure(counters, id) : counters;
}

/** A succeeded iteration had the diagnoses in its prompt; one that failed may not have read them. */
function settledBy(state: State, data: RecordData<"task_finished">): State["diagnosis"] {
  const kept = data.succeeded
    ? withoutDiagnoses(state.diagnosis, ["control_refused", "abandoned", "child_finished"])
    : state.diagnosis;
  if (data.report.state === "valid") return withDiagnosis(kept, "report_invalid", null);
  if (data.report.state === "absent") return kept;
  return withDiagnosis(kept, "report_invalid", {
    text: `The report.json of iteration ${data.iteration} was not taken: ${data.report.reason}`,
    ...(state.task === null ? {} : { path: state.task.directory }),
  });
}

function abandon(state: State, data: RecordData<"task_abandoned">, stamp: Stamp): State {
  const spent = { ...state.spent, live_ms: state.spent.live_ms + data.live_ms };
  if (data.kind === "verification" || data.workflow_id === null)
    return { ...state, task: null, spent };
  const own = countersOf(state.workflows, data.workflow_id);
  const used = { usage: null, cost_usd: null, live_ms: data.live_ms };
  return {
    ...state,
    task: null,
    before_start: null,
    iterations: data.iteration,
    spent: spend(state.spent, used),
    workflows: changeCounters(state.workflows, data.workflow_id, {
      crashes_in_row: own.crashes_in_row + (data.started ? 1 : 0),
      dearest: dearer(own.dearest, used),
    }),
    advisory_due: false,
    diagnosis: withDiagnosis(state.diagnosis, "abandoned", {
      text: `Iteration ${data.iteration} (${data.workflow_id}) was abandoned, so its work may stand half done in the checkout: ${data.reason}`,
      ...(state.task === null ? {} : { path: state.task.directory }),
    }),
    last: {
      iteration: data.iteration,
      workflow_id: data.workflow_id,
      outcome: "abandoned",
      cause: data.cause,
      succeeded: false,
      summary: "",
      recommended_action: null,
      tree_digest: null,
      at: stamp.at,
    },
  };
}

/** It never started: everything is as before its assignment, and its number is used again. */
function withdraw(state: State, data: RecordData<"task_withdrawn">): State {
  const { task } = state;
  if (task?.kind !== "workflow") return { ...state, task: null };
  const workflows =
    state.before_start === null
      ? state.workflows
      : changeCounters(state.workflows, task.workflow_id, state.before_start);
  const inputs = state.inputs.map((input) => ({
    ...input,
    delivered: input.delivered.filter((iteration) => iteration !== data.iteration),
  }));
  return { ...state, task: null, before_start: null, workflows, inputs };
}
