import { LoopwrightError, type ProcessRecord, type WorkflowTask } from "@loopwright/protocol";
import { type AgentRun, adoptAgent, runAgent } from "../agents/runner.ts";
import type { Snapshot } from "../git/index.ts";
import { readProcessFile } from "../process/attempt-files.ts";
import { sweepAttempt } from "../process/sweep.ts";
import { timestamp } from "../seams/clock.ts";
import { type IterationLayout, iterationLayout } from "../store/iteration-layout.ts";
import { sessionLayout } from "../store/session-layout.ts";
import { type AgentSetup, setUpAgent } from "./agent-setup.ts";
import { watchCancel } from "./cancel-watch.ts";
import type { CheckoutEvidence } from "./checkout-evidence.ts";
import { finishIteration } from "./finish-iteration.ts";
import { prepareIteration } from "./prepare-iteration.ts";
import type { TaskContext } from "./task-context.ts";
import { readStoredResult, type StoredResult } from "./write-result.ts";

/** `withdrawn`: recovery was first, so that nothing is to be reported. `detached`: we leave. */
export type WorkflowDone = StoredResult | "withdrawn" | "detached";

/**
 * One iteration in the order of 5-protocol.md. A crash before `process.json`: it is withdrawn. Until `result.json`:
 * the next worker adopts it and comes to the same result from the raw files, which go only after that. From then on:
 * recovery records the stored result.
 */
export async function runWorkflowTask(
  context: TaskContext,
  task: WorkflowTask,
): Promise<WorkflowDone> {
  const { clock, processes } = context.seams;
  const layout = iterationLayout(task.task_dir);
  const begun = begunBy(layout, task.attempt_id);
  if (begun === "withdrawn") return "withdrawn";
  if (begun === "foreign") return refuseForeign(context, task);
  if (begun !== undefined && processes.liveness(begun) === "dead") {
    const stored = readStoredResult(layout, task.attempt_id);
    if (stored !== undefined) return stored;
  }
  const startedAt = begun?.started_at ?? timestamp(clock);
  const startedMonotonic = begun === undefined ? clock.monotonic() : null;
  const evidence = context.evidence(task.checkout, task.session_dir);
  const cancel = watchCancel(layout.cancel, task.attempt_id, clock);
  const setup = setUpAgent(context, task, layout, cancel.signal);
  try {
    const { run, before } =
      begun === undefined
        ? await start(context, task, setup, evidence)
        : await adopt(setup, begun, evidence);
    if (run.kind === "withdrawn" || run.kind === "detached") return run.kind;
    return await finishIteration(context, task, setup, {
      run,
      before,
      startedAt,
      startedMonotonic,
      evidence,
    });
  } finally {
    cancel.close();
  }
}

/** `foreign`: what stands there is no shim's of this attempt, so that nobody can say what ran. */
function begunBy(
  layout: IterationLayout,
  attemptId: string,
): ProcessRecord | "withdrawn" | "foreign" | undefined {
  try {
    const file = readProcessFile(layout.process);
    if (file === undefined) return undefined;
    if ("withdrawn" in file) return "withdrawn";
    return file.attempt_id === attemptId ? file : "foreign";
  } catch (error) {
    if (error instanceof LoopwrightError) return "foreign";
    throw error;
  }
}

/** Ends whatever carries the attempt's marker and reports that its files couldn't be used. */
export async function refuseForeign(
  context: TaskContext,
  task: WorkflowTask,
): Promise<WorkflowDone> {
  const { clock, processes } = context.seams;
  const layout = iterationLayout(task.task_dir);
  await sweepAttempt({ processes, clock, marker: task.attempt_id });
  const reason = `${layout.process} is not what the supervisor of this attempt writes.`;
  return finishIteration(
    context,
    task,
    setUpAgent(context, task, layout, new AbortController().signal),
    {
      run: { kind: "not_started", problem: "files", reason },
      before: null,
      startedAt: timestamp(clock),
      startedMonotonic: clock.monotonic(),
      evidence: context.evidence(task.checkout, task.session_dir),
    },
  );
}

interface Ran {
  readonly run: AgentRun;
  readonly before: Snapshot | null;
}

async function adopt(
  setup: AgentSetup,
  record: ProcessRecord,
  evidence: CheckoutEvidence,
): Promise<Ran> {
  return {
    run: await adoptAgent(setup.request(), record),
    before: evidence.stored(setup.layout.changes),
  };
}

/** Starting git's processes blocks for about ten milliseconds: when the agent runs already. */
const PREPARE_GIT_AFTER_MS = 20;

async function start(
  { seams }: TaskContext,
  task: WorkflowTask,
  { layout, request, plan }: AgentSetup,
  evidence: CheckoutEvidence,
): Promise<Ran> {
  let before: Snapshot | null = null;
  try {
    const taking = evidence.before();
    prepareIteration(seams.disk, task, layout, sessionLayout(task.session_dir));
    const taken = await taking;
    if (taken === "gone") {
      const reason = `The checkout ${task.checkout} is not a work tree any more.`;
      return { run: { kind: "not_started", problem: "workspace", reason }, before };
    }
    before = taken;
    if (before !== null) evidence.keep(before, layout.changes);
    const planned = plan();
    const running = runAgent(request(planned), planned);
    const preparing = setTimeout(() => evidence.prepare(), PREPARE_GIT_AFTER_MS);
    return { run: await running.finally(() => clearTimeout(preparing)), before };
  } catch (error) {
    if (error instanceof LoopwrightError) return { run: notStarted(error), before };
    throw error;
  }
}

/** What is wrong with the configuration, the prompt or the disk shows before any agent runs. */
function notStarted(error: LoopwrightError): AgentRun {
  const problem = error.code === "DISK_FULL" || error.code === "DISK_FAILED" ? "files" : "program";
  return { kind: "not_started", problem, reason: error.message };
}
