import { LoopwrightError, type StopMode } from "@loopwright/protocol";
import { resolveSession } from "../../store/session-lookup.ts";
import type { Context } from "../context.ts";
import { openSession } from "../open-session.ts";
import { holderOf } from "../../control-plane/projection/index.ts";
import { findCoordinator } from "../people-client.ts";
import { agentsOf, endStranded, unreadableSession } from "../stranded.ts";
import { findGoal, type GoalTarget } from "../target.ts";
import type { Choice } from "./choose.ts";
import { startCoordinatorChild, startWorkerChild } from "./crew.ts";
import { watchInterrupts } from "./interrupts.ts";
import { openGoal, type OpenOptions } from "./open-goal.ts";
import { saidError } from "./said-error.ts";
import { exitCodeOf, tellEnd } from "./summary.ts";
import { supervise } from "./supervise.ts";

export interface RunOptions extends OpenOptions {
  readonly takeOver?: boolean;
}

/** Runs a goal until its session is terminal. The exit code says how it ended. */
export async function runGoal(context: Context, options: RunOptions): Promise<number> {
  const target = findGoal(context);
  // Both load while we look at the project: that is most of the time until the first agent starts.
  const coordinator = startCoordinatorChild(context);
  const worker = startWorkerChild(context);
  const early = Promise.withResolvers<"interrupted">();
  const interrupts = watchInterrupts(() => early.resolve("interrupted"));
  const endEarly = (): number => {
    coordinator.terminate();
    worker.terminate();
    return 130;
  };
  try {
    const opened = await Promise.race([openGoal(context, target, options), early.promise]);
    if (opened === "interrupted") return endEarly();
    const { choice, opening } = opened;
    const before = choice.kind === "new" ? 0 : openSession(target, choice.sessionId).state.seq;
    if (choice.kind === "attach")
      context.output.line(`Session ${choice.sessionId} runs already; this shows it.`);
    else if (choice.say !== undefined) context.output.line(choice.say);
    if (opening === undefined) coordinator.dismiss();
    else
      coordinator.order({ runtimeRoot: target.runtimeRoot, goalId: target.goal.id, open: opening });
    const serving =
      opening === undefined ? undefined : await Promise.race([coordinator.serving, early.promise]);
    if (serving === "interrupted") return endEarly();
    if (
      opening !== undefined &&
      serving === undefined &&
      !(await isReplaceable(choice, coordinator))
    )
      throw await startProblem(context, coordinator.ended);
    const sessionId = serving?.sessionId ?? resolveSession(target.layout.sessions, "latest");
    interrupts.onInterrupt((mode) => void askToStop(context, target, sessionId, mode));
    const member = serving === undefined ? undefined : coordinator;
    const state = await supervise(
      {
        context,
        target,
        sessionId,
        coordinator: member,
        worker,
        takeOver: options.takeOver ?? false,
      },
      before,
    );
    tellEnd(context, target, state);
    return exitCodeOf(state);
  } catch (error) {
    await endIfStranded(context, target);
    throw error;
  } finally {
    interrupts.close();
    coordinator.dismiss();
    worker.dismiss();
  }
}

/** Whether another coordinator may simply be started after one that crashed before it served: there is a session to go on with. */
async function isReplaceable(
  choice: Choice,
  { ended }: ReturnType<typeof startCoordinatorChild>,
): Promise<boolean> {
  const resumes = choice.kind === "continue" && choice.reopen === undefined;
  return resumes && (await ended).kind === "crashed";
}

/** Agents of a session that no later run can read would go on without a worker, and so without a limit. */
async function endIfStranded(context: Context, target: GoalTarget): Promise<void> {
  if (holderOf(target.layout.lock, context.seams.processes).liveness === "alive") return;
  const unreadable = unreadableSession(target);
  if (unreadable === undefined || agentsOf(context, unreadable.sessionId).length === 0) return;
  context.output.warn(await endStranded(context, unreadable.sessionId));
}

async function startProblem(
  { debug, output }: Context,
  ended: ReturnType<typeof startCoordinatorChild>["ended"],
): Promise<LoopwrightError> {
  const end = await ended;
  if (end.kind === "refused") return end.error;
  const text = end.kind === "crashed" ? end.said : "";
  if (debug) output.progress(text);
  const { message, hint } = saidError(text);
  return new LoopwrightError(
    "COORDINATOR_GONE",
    `The coordinator ended before it served${message === undefined ? "" : `: ${message}`}`,
    { hint: hint ?? "Look at it with: loopwright doctor" },
  );
}

const ASKED: Record<StopMode, string> = {
  graceful: "Stopping after this iteration. Once more: now.",
  now: "Stopping now. Once more: by force.",
  kill: "Stopping by force.",
};

async function askToStop(
  { output, seams }: Context,
  target: GoalTarget,
  sessionId: string,
  mode: StopMode,
): Promise<void> {
  output.progress(ASKED[mode]);
  try {
    const client = findCoordinator(seams, target.goal.id, target.layout.session(sessionId));
    await client?.post("stop", { mode, by: "user" });
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    output.warn(error.message);
  }
}
