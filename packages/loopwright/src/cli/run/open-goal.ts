import { existsSync } from "node:fs";
import type { State } from "@loopwright/engine";
import { LoopwrightError } from "@loopwright/protocol";
import { requireSchedulable } from "../../control-plane/archive/schedulable.ts";
import { fillObjective, objectiveOf } from "../../control-plane/active-state/index.ts";
import { refuseForeign } from "../../control-plane/foreign-registry.ts";
import { claimGoalId, refuseOther } from "../../control-plane/goal-record.ts";
import type { ProjectOverrides } from "../../control-plane/project/project.ts";
import type { Raise } from "../../coordinator/limits.ts";
import type { Opening } from "../../coordinator/open-session.ts";
import { timestamp } from "../../seams/clock.ts";
import { runtimeLayout } from "../../store/layout.ts";
import { settleEnd } from "../../coordinator/settle-end.ts";
import { listSessions } from "../../store/session-lookup.ts";
import type { Context } from "../context.ts";
import { openSession } from "../open-session.ts";
import { countProblems, renderProblem } from "../output/problems.ts";
import { preflight } from "../preflight/preflight.ts";
import { holderOf } from "../../control-plane/projection/index.ts";
import type { GoalTarget } from "../target.ts";
import { VERSION } from "../version.ts";
import { type Choice, chooseSession } from "./choose.ts";
import { agentsOf, unreadableSession } from "../stranded.ts";
import { planSession } from "./plan-session.ts";

export interface OpenOptions {
  readonly new?: boolean;
  readonly resume?: boolean;
  readonly maxIterations?: number;
  readonly goalFile?: string;
  readonly workflowSet?: string;
  readonly raise?: readonly Raise[];
  /** A paused session is opened and not resumed. */
  readonly staysPaused?: boolean;
}

export interface OpenedGoal {
  readonly choice: Choice;
  /** What the coordinator is to open; undefined when another one lives. */
  readonly opening: Opening | undefined;
}

/**
 * Decides which session is run and, for a new one, does the preflight and freezes the project. Throws what refuses it;
 * nothing was created then.
 */
export async function openGoal(
  context: Context,
  target: GoalTarget,
  options: OpenOptions,
): Promise<OpenedGoal> {
  refuseForeign(target.registryPath);
  requireSchedulable(runtimeLayout(target.runtimeRoot), target.goal.id);
  const latest = latestState(context, target, options.new === true);
  const coordinatorAlive =
    holderOf(target.layout.lock, context.seams.processes).liveness === "alive";
  if (latest !== undefined && !coordinatorAlive) settle(context, target, latest);
  const choice = chooseSession({
    latest,
    coordinatorAlive,
    wish: options.new === true ? "new" : options.resume === true ? "resume" : undefined,
    raise: options.raise ?? [],
    staysPaused: options.staysPaused ?? false,
  });
  if (choice.kind !== "new") {
    warnOfUnused(context, options);
    if (choice.kind === "attach") return { choice, opening: undefined };
    const { sessionId, reopen } = choice;
    return {
      choice,
      opening: { kind: "existing", sessionId, ...(reopen === undefined ? {} : { reopen }) },
    };
  }
  const ready = await ensureReady(context, target, {
    goalFile: options.goalFile,
    workflowSet: options.workflowSet,
    maxIterations: options.maxIterations,
  });
  claim(context, target);
  const plan = await planSession(context.seams, target, ready, latest);
  fillObjective(context.seams.disk, target.layout.activeState, objectiveOf(plan.goalText));
  return { choice, opening: { kind: "new", plan } };
}

/** `init` did it, unless the runtime root is another one since. Throws GOAL_ID_TAKEN. */
function claim({ seams }: Context, { goal, layout, registryPath, repository }: GoalTarget): void {
  const record = {
    goalId: goal.id,
    registry: registryPath,
    repo: repository,
    at: timestamp(seams.clock),
  };
  if (existsSync(layout.goalJson)) refuseOther(layout, record);
  else claimGoalId(seams.disk, layout, record);
}

function settle({ seams }: Context, target: GoalTarget, latest: State): void {
  const { runtimeRoot, goal } = target;
  const place = { runtimeRoot, goalId: goal.id, sessionId: latest.session_id };
  settleEnd({ seams, ...place, version: VERSION }, latest);
}

/** A new session may begin beside one that can't be read, once nothing of that one runs any more. */
function latestState(context: Context, target: GoalTarget, beside: boolean): State | undefined {
  if (listSessions(target.layout.sessions).length === 0) return undefined;
  const unreadable = beside ? unreadableSession(target) : undefined;
  if (unreadable === undefined) return openSession(target, "latest").state;
  const { sessionId, error } = unreadable;
  if (agentsOf(context, sessionId).length > 0) {
    throw new LoopwrightError(
      "SESSION_RUNNING",
      `Session ${sessionId} can't be read, and an agent of it still runs`,
      { hint: "End it with: loopwright stop --kill", cause: error },
    );
  }
  context.output.warn(
    `session ${sessionId} stays as it is and is not gone on with: ${error.message}`,
  );
  return undefined;
}

async function ensureReady(context: Context, target: GoalTarget, overrides: ProjectOverrides) {
  const { problems, ready } = await preflight({
    root: target.repository,
    configName: target.goal.config,
    overrides,
    runtimeRoot: target.runtimeRoot,
    environment: context.environment,
  });
  if (ready === undefined) {
    throw new LoopwrightError(
      "CONFIGURATION_INVALID",
      `Nothing was started: ${countProblems(problems)}`,
      {
        hint: "Mend them, then look again with: loopwright validate",
        problems,
      },
    );
  }
  for (const problem of problems) context.output.progress(renderProblem(problem));
  return ready;
}

/** A running session keeps what was frozen when it started. */
function warnOfUnused({ output }: Context, options: OpenOptions): void {
  const flags = [
    ...(options.maxIterations === undefined ? [] : ["--max-iterations"]),
    ...(options.goalFile === undefined ? [] : ["--goal-file"]),
    ...(options.workflowSet === undefined ? [] : ["--workflow-set"]),
  ];
  if (flags.length > 0)
    output.warn(
      `${flags.join(", ")} counts for new sessions only; limits are raised with: loopwright resume --max-iterations +N`,
    );
}
