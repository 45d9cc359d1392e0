import { existsSync } from "node:fs";
import { join } from "node:path";
import type { State } from "@loopwright/engine";
import {
  type AgentConfiguration,
  LoopwrightError,
  type RecordData,
  type SessionFile,
  type StopAnswer,
  type Task,
  type VerificationTask,
  type WorkflowTask,
} from "@loopwright/protocol";
import type { SessionLayout } from "../store/session-layout.ts";
import { agentNameOf } from "../control-plane/session/holds.ts";
import { reusableReceipts } from "./receipts.ts";

export interface TaskSource {
  readonly layout: SessionLayout;
  readonly file: SessionFile;
  /** What the last iteration before this coordinator was assigned with. */
  readonly earlier?: { readonly attemptId: string; readonly file: SessionFile } | undefined;
  readonly goalText: string;
  readonly assigned: () => RecordData<"task_assigned"> | undefined;
  /** What a workflow with `session: resume` goes on with. */
  readonly resume: (workflowId: string, agent: string) => WorkflowTask["resume"];
  /** For a workflow that plans. */
  readonly plan?: (state: State) => WorkflowTask["plan"];
}

type LiveTask = NonNullable<State["task"]>;
type LiveOf<K extends LiveTask["kind"]> = Extract<LiveTask, { kind: K }>;

/** The live task as its worker gets it: the same answer each time it is asked for, `adopt` excepted. */
export function taskAnswer(source: TaskSource, state: State, task: LiveTask): Task {
  return task.kind === "workflow"
    ? workflowTask(source, state, task)
    : verificationTask(source, state, task);
}

export function stopAnswer(state: State): StopAnswer {
  return {
    action: "stop",
    session_id: state.session_id,
    status: state.status,
    stop_reason: state.stop_reason,
  };
}

function workflowTask(source: TaskSource, state: State, task: LiveOf<"workflow">): WorkflowTask {
  const { earlier } = source;
  const file = earlier?.attemptId === task.attempt_id ? earlier.file : source.file;
  const workflow = file.workflows.find(({ id }) => id === task.workflow_id);
  if (workflow === undefined) {
    throw new LoopwrightError(
      "FILE_INVALID",
      `session.json has no workflow "${task.workflow_id}", which the journal assigns`,
      {
        where: source.layout.session,
      },
    );
  }
  const agent = agentSettings(file, agentOf(source, file, task), workflow);
  const { configuration } = file;
  return {
    ...base(source, state, task),
    kind: "workflow",
    adopt: existsSync(join(source.layout.directory, task.directory, "process.json")),
    workflow_set: file.workflow_set,
    workflow_id: task.workflow_id,
    iteration: task.iteration,
    goal: source.goalText,
    preamble: file.preamble,
    prompt_body: workflow.prompt,
    completion_criteria: configuration.completion_criteria,
    stop_criteria: configuration.stop_criteria,
    emits_goal_check: workflow.emits_goal_check,
    may_complete: workflow.may_complete,
    plans: workflow.plans,
    agent,
    permissions: agent.permissions,
    limits: {
      timeout_ms: workflow.timeout ?? agent.timeout ?? configuration.limits.iteration_timeout,
      silence_ms:
        workflow.silence_timeout ?? agent.silence_timeout ?? configuration.limits.silence_timeout,
      raw_log_cap: configuration.retention.raw_log_cap,
    },
    inputs: state.inputs
      .filter(({ id }) => task.inputs.includes(id))
      .map(({ id, text, at }) => ({ id, text, at })),
    diagnosis: diagnosisOf(source, state, task.attempt_id),
    ...(workflow.session === "resume" ? withResume(source.resume(workflow.id, agent.name)) : {}),
    ...withPlan(source.plan?.(state)),
  };
}

function withPlan(plan: WorkflowTask["plan"]): Pick<WorkflowTask, "plan"> {
  return plan === undefined ? {} : { plan };
}

function withResume(resume: WorkflowTask["resume"]): Pick<WorkflowTask, "resume"> {
  return resume === undefined ? {} : { resume };
}

function diagnosisOf(
  source: TaskSource,
  state: State,
  attemptId: string,
): WorkflowTask["diagnosis"] {
  const assigned = source.assigned();
  return assigned?.attempt_id === attemptId ? assigned.diagnosis : state.diagnosis;
}

function verificationTask(
  source: TaskSource,
  state: State,
  task: LiveOf<"verification">,
): VerificationTask {
  const { gate } = source.file.configuration;
  return {
    ...base(source, state, task),
    kind: task.verification === "baseline" ? "baseline" : "verification",
    adopt: false,
    verification: task.verification,
    base_commit: source.file.base_commit,
    pins: source.file.pins,
    reuse: reusableReceipts(source.layout, state),
    protect: gate.protect,
    checks_directory: gate.checks,
  };
}

function base({ layout, file }: TaskSource, state: State, task: LiveTask) {
  return {
    action: "run" as const,
    session_id: state.session_id,
    attempt_id: task.attempt_id,
    epoch: task.epoch,
    session_dir: layout.directory,
    task_dir: join(layout.directory, task.directory),
    checkout: file.repository,
  };
}

/** The workflow's own, or the one that the assignment put in its place. */
function agentOf({ assigned }: TaskSource, file: SessionFile, task: LiveOf<"workflow">): string {
  const facts = assigned()?.attempt_id === task.attempt_id ? assigned()?.facts : undefined;
  return facts?.agents?.[task.workflow_id] ?? agentNameOf(file, task.workflow_id);
}

function agentSettings(
  file: SessionFile,
  name: string,
  { id, tier }: SessionFile["workflows"][number],
): AgentConfiguration & { name: string } {
  const settings = file.configuration.agents[name];
  if (settings === undefined) {
    throw new LoopwrightError(
      "FILE_INVALID",
      `session.json has no agent "${name}", which workflow "${id}" names`,
    );
  }
  const override = tier === undefined ? undefined : file.configuration.tiers[tier]?.[name];
  return { ...settings, ...override, name };
}
