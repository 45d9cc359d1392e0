import type { WorkflowTask } from "@loopwright/protocol";
import { adapterOf, variablesOf } from "../agents/adapters.ts";
import { agentEnvironment } from "../agents/environment.ts";
import type { LaunchPlan } from "../agents/port.ts";
import type { RunRequest } from "../agents/runner.ts";
import { SESSION_MARKER } from "../process/marker.ts";
import type { IterationLayout } from "../store/iteration-layout.ts";
import { makeOwnDirectory } from "../store/own-directory.ts";
import { sessionLayout } from "../store/session-layout.ts";
import type { TaskContext } from "./task-context.ts";

/** A task in the runner's words. `request` and `plan` throw what is wrong with the agent's configuration. */
export interface AgentSetup {
  readonly layout: IterationLayout;
  /** Without what the plan adds. */
  readonly environment: Readonly<Record<string, string>>;
  /** @param planned of an agent that is to be started; none for one that runs already */
  request(planned?: LaunchPlan): RunRequest;
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
  const session = sessionLayout(task.session_dir);
  const home = session.agentHome(settings.name);
  const environmentWith = (env: LaunchPlan["env"]) =>
    agentEnvironment({
      user: context.environment,
      settings,
      variables: variablesOf(settings.adapter),
      adapter: env,
      assignment: {
        LOOPWRIGHT_PATHS: layout.paths,
        [SESSION_MARKER]: task.session_id,
        LOOPWRIGHT_ITERATION: String(task.iteration),
        LOOPWRIGHT_WORKFLOW: task.workflow_id,
        LOOPWRIGHT_CHECKOUT: task.checkout,
      },
    });
  const environment = environmentWith({});
  const plan = (): LaunchPlan => {
    const adapter = adapterOf(settings.adapter);
    makeOwnDirectory(context.seams.disk, task.session_dir, home);
    return adapter.plan({
      settings,
      permissions: task.permissions,
      attemptId: task.attempt_id,
      checkout: task.checkout,
      promptFile: layout.prompt,
      writable: [session.projectState, layout.out],
      home,
      environment,
      resume: task.resume?.id ?? null,
    });
  };
  return {
    layout,
    environment,
    plan,
    request: (planned) => ({
      seams: { ...context.seams, launcher: context.launcher },
      adapter: adapterOf(settings.adapter),
      settings,
      resumed: task.resume ?? null,
      attemptId: task.attempt_id,
      files: layout,
      environment: planned === undefined ? environment : environmentWith(planned.env),
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
