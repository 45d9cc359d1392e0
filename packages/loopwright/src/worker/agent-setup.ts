import type { WorkflowTask } from "@loopwright/protocol";
import { adapterOf } from "../agents/adapters.ts";
import { agentEnvironment } from "../agents/environment.ts";
import type { LaunchPlan } from "../agents/port.ts";
import type { RunRequest } from "../agents/runner.ts";
import { SESSION_MARKER } from "../process/marker.ts";
import type { IterationLayout } from "../store/iteration-layout.ts";
import { sessionLayout } from "../store/session-layout.ts";
import type { TaskContext } from "./task-context.ts";

/** A task in the runner's words. `request` and `plan` throw what is wrong with the agent's configuration. */
export interface AgentSetup {
  readonly layout: IterationLayout;
  readonly environment: Readonly<Record<string, string>>;
  request(): RunRequest;
  plan(): LaunchPlan;
}

/** An agent whose final event is there has this long to exit. Monotonic milliseconds. */
const AFTER_FINAL_MS = 30_000;

export function setUpAgent(
  context: TaskContext,
  task: WorkflowTask,
  layout: IterationLayout,
  cancel: AbortSignal,
): AgentSetup {
  const { agent: settings, limits } = task;
  const plan = (): LaunchPlan =>
    adapterOf(settings.adapter).plan({
      settings,
      permissions: task.permissions,
      attemptId: task.attempt_id,
      checkout: task.checkout,
      promptFile: layout.prompt,
      writable: [sessionLayout(task.session_dir).projectState, layout.out],
    });
  const environment = agentEnvironment({
    user: context.environment,
    settings,
    assignment: {
      LOOPWRIGHT_PATHS: layout.paths,
      [SESSION_MARKER]: task.session_id,
      LOOPWRIGHT_ITERATION: String(task.iteration),
      LOOPWRIGHT_WORKFLOW: task.workflow_id,
      LOOPWRIGHT_CHECKOUT: task.checkout,
    },
  });
  return {
    layout,
    environment,
    plan,
    request: () => ({
      seams: { ...context.seams, launcher: context.launcher },
      adapter: adapterOf(settings.adapter),
      settings,
      attemptId: task.attempt_id,
      files: layout,
      environment,
      checkout: task.checkout,
      limits: {
        totalMs: limits.timeout_ms,
        silenceMs: limits.silence_ms,
        firstByteMs: limits.silence_ms,
        afterFinalMs: context.grace?.afterFinal ?? AFTER_FINAL_MS,
      },
      transcriptCap: limits.raw_log_cap,
      cancel,
      detach: context.detach,
      ...(context.grace === undefined ? {} : { grace: context.grace }),
    }),
  };
}
