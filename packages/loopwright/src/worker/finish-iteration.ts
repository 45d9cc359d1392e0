import { rmSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import {
  type ChangeSummary,
  LoopwrightError,
  type Result,
  SCHEMA_VERSION,
  type WorkflowTask,
} from "@loopwright/protocol";
import { writeOutputLog } from "../agents/output-log.ts";
import { createRedactor } from "../agents/redaction/redactor.ts";
import type { AgentRun } from "../agents/runner.ts";
import type { Snapshot } from "../git/index.ts";
import { readExitFile } from "../process/attempt-files.ts";
import { errorCode } from "../store/disk-error.ts";
import { timestamp } from "../seams/clock.ts";
import type { IterationLayout } from "../store/iteration-layout.ts";
import { makeOwnDirectory } from "../store/own-directory.ts";
import type { AgentSetup } from "./agent-setup.ts";
import type { CheckoutEvidence } from "./checkout-evidence.ts";
import { collectDocuments } from "./collect-documents.ts";
import { fitResult } from "./fit-result.ts";
import { outcomeOf } from "./iteration-outcome.ts";
import type { TaskContext } from "./task-context.ts";
import { type StoredResult, writeResult } from "./write-result.ts";

export interface Finishing {
  readonly run: Extract<AgentRun, { kind: "ended" | "not_started" }>;
  readonly before: Snapshot | null;
  readonly startedAt: string;
  /** Null for an adopted agent: only the wall clock knows. */
  readonly startedMonotonic: number | null;
  readonly evidence: CheckoutEvidence;
}

/** From the sweep to the durable `result.json`. Nothing of the attempt runs any more. */
export async function finishIteration(
  context: TaskContext,
  task: WorkflowTask,
  { layout, environment }: AgentSetup,
  finishing: Finishing,
): Promise<StoredResult | "detached"> {
  keepDirectory(context, layout);
  const documents = collectDocuments(layout, task.attempt_id, createRedactor(environment));
  const keep = (): Promise<boolean> => keepOutput(layout, environment, task.limits.raw_log_cap);
  const [changes, kept] = await Promise.all([
    finishing.evidence.after(finishing.before, layout.changes),
    keep(),
  ]);
  const reportValid = documents.report.state === "valid";
  const facts = outcomeOf(task, finishing.run, {
    reportValid,
    diskFull: () => isDiskFull(task.task_dir) || isDiskFull(task.checkout),
  });
  const result: Result = {
    ...identity(task),
    ...facts,
    ...times(context, layout, finishing),
    ...documents,
    changes: changes satisfies ChangeSummary | null,
  };
  const stored = await writeResult(context.seams, layout, fitResult(result), context.detach);
  if (stored === undefined) return "detached";
  // There is room again, or the result would not be written. If there isn't enough, the raw files stay.
  if (!kept && !(await keep())) return stored;
  // Only now: a worker that adopts before this reads the raw files again.
  for (const raw of [layout.stdoutRaw, layout.stderrRaw])
    rmSync(raw, { force: true, recursive: true });
  return stored;
}

function identity(task: WorkflowTask) {
  return {
    schema_version: SCHEMA_VERSION,
    session_id: task.session_id,
    iteration: task.iteration,
    workflow_id: task.workflow_id,
    attempt_id: task.attempt_id,
    agent: task.agent.name,
    agent_version: null,
  } as const;
}

function times(
  { seams }: TaskContext,
  layout: IterationLayout,
  { startedAt, startedMonotonic }: Finishing,
) {
  const now = timestamp(seams.clock);
  if (startedMonotonic !== null) {
    const duration_ms = Math.max(0, Math.round(seams.clock.monotonic() - startedMonotonic));
    return { started_at: startedAt, finished_at: now, duration_ms };
  }
  const finished_at = exitTime(layout) ?? now;
  const duration_ms = Math.max(0, Date.parse(finished_at) - Date.parse(startedAt));
  return { started_at: startedAt, finished_at, duration_ms };
}

function exitTime(layout: IterationLayout): string | undefined {
  try {
    return readExitFile(layout.exit)?.finished_at;
  } catch {
    return undefined;
  }
}

/** The agent may have put a link in place of its directory, through which we would write elsewhere. */
function keepDirectory({ seams }: TaskContext, { directory }: IterationLayout): void {
  try {
    makeOwnDirectory(seams.disk, dirname(dirname(directory)), directory);
  } catch (error) {
    // On a full disk: tried again, and waited for, when the result is written.
    if (!(error instanceof LoopwrightError)) throw error;
  }
}

/** False where the disk refuses; the result still has the end of the text. */
async function keepOutput(
  layout: IterationLayout,
  environment: Readonly<Record<string, string>>,
  cap: number,
): Promise<boolean> {
  try {
    await writeOutputLog(
      layout.output,
      { stdout: layout.stdoutRaw, stderr: layout.stderrRaw },
      environment,
      cap,
    );
    return true;
  } catch (error) {
    // The disk's own answers: full, failing, or an agent's work in the place of a file.
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

/** Less than a MiB: whoever needed to write couldn't. */
function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize < 1024 * 1024;
  } catch {
    return false;
  }
}
