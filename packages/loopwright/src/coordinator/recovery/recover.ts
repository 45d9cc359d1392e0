import { existsSync } from "node:fs";
import { join } from "node:path";
import { LoopwrightError, type ProcessRecord } from "@loopwright/protocol";
import { inspectAttempt } from "../../process/adopt.ts";
import { readProcessFile } from "../../process/attempt-files.ts";
import { withdraw } from "../../process/withdraw.ts";
import { iterationLayout, type IterationLayout } from "../../store/iteration-layout.ts";
import type { Seams } from "../seams.ts";
import { abandonAttempt } from "./abandon.ts";
import {
  isStill,
  type LiveTask,
  type Recovered,
  type RecoveryContext,
  type RecoveryRequest,
  SETTLED,
} from "./context.ts";
import { writeRecovery } from "./recovery-file.ts";
import { recoverResult } from "./stored-result.ts";
import { recoverVerification } from "./verification.ts";
import { withdrawTask } from "./withdraw-task.ts";

/** Settles the live task of a worker that is gone: the numbered steps of 5-protocol.md, "Recovery". */
export async function recoverTask(
  context: RecoveryContext,
  request: RecoveryRequest,
): Promise<Recovered> {
  const { task } = context.state();
  if (task === null) return SETTLED;
  if (task.kind === "verification") return recoverVerification(context, task);
  const files = iterationLayout(join(context.layout.directory, task.directory));
  const record = begunBy(context, task, files, request);
  if (record === "withdrawn") return withdrawTask(context, task, files);

  const found = typeof record === "string" ? record : stateOf(context.seams, files, record);
  // While it runs, or may, a result is not the worker's: that one is written last, after the end.
  if (isEnd(found) && recoverResult(context, task, files)) return SETTLED;
  if (!isStill(context, task)) return SETTLED;
  if (mayAdopt(found, request)) return adopt(context, task, files);
  return abandonAttempt(context, task, files, {
    shim: typeof record === "string" ? undefined : record,
    assumeGone: request.foreign,
    reason: reasonOf(found, request),
  });
}

type Found = "running" | "exited" | "gone" | "unknown";

type Begun = ProcessRecord | "withdrawn" | "gone" | "unknown";

/**
 * Step 2: whoever writes `process.json` first decides whether the agent starts. The agent itself can delete or replace
 * the file later: while something carries the attempt's marker, it was started.
 */
function begunBy(
  context: RecoveryContext,
  task: LiveTask,
  files: IterationLayout,
  request: RecoveryRequest,
): Begun {
  const begun = begunByFile(context, task, files, request);
  const isDenied = begun === "withdrawn" || begun === "gone";
  const runs = isDenied && context.seams.processes.marked(task.attempt_id).length > 0;
  return runs ? "unknown" : begun;
}

function begunByFile(
  { seams }: RecoveryContext,
  task: LiveTask,
  files: IterationLayout,
  request: RecoveryRequest,
): Begun {
  try {
    let file = readProcessFile(files.process);
    if (file === undefined) {
      if (request.foreign) return "unknown";
      // A result without a process: the agent couldn't be started, and the worker said so.
      if (existsSync(files.result)) return "gone";
      // The order for a shim names files in this directory, so without it there is no shim.
      if (!existsSync(files.directory)) return "withdrawn";
      if (withdraw(files.process, seams.clock) === "withdrawn") return "withdrawn";
      file = readProcessFile(files.process);
    }
    if (file === undefined) return "unknown";
    if ("withdrawn" in file) return "withdrawn";
    // One that names another attempt was put there: the marker alone has to find what runs.
    return file.attempt_id === task.attempt_id ? file : "unknown";
  } catch (error) {
    // Not what a shim writes: the marker alone has to find what runs.
    if (error instanceof LoopwrightError) return "unknown";
    throw error;
  }
}

/** Whether an attempt that was started has surely ended. Changes nothing. */
export function isOver(seams: Seams, files: IterationLayout): boolean {
  try {
    const record = readProcessFile(files.process);
    if (record === undefined) return true;
    return !("withdrawn" in record) && isEnd(stateOf(seams, files, record));
  } catch (error) {
    if (error instanceof LoopwrightError) return false;
    throw error;
  }
}

function isEnd(found: Found): boolean {
  return found === "exited" || found === "gone";
}

function stateOf({ processes }: Seams, files: IterationLayout, record: ProcessRecord): Found {
  try {
    const { state } = inspectAttempt({ processes, record, exitPath: files.exit });
    // The shim ends right after it wrote exit.json; one that lives on with it there didn't write it.
    return state === "exited" && processes.liveness(record) === "alive" ? "running" : state;
  } catch (error) {
    if (error instanceof LoopwrightError) return "unknown";
    throw error;
  }
}

/** Step 3: paid work isn't thrown away. */
function mayAdopt(found: Found, { worker, ending, foreign }: RecoveryRequest): boolean {
  if (foreign) return false;
  if (found === "exited") return worker || !ending;
  return found === "running" && !ending;
}

function adopt(context: RecoveryContext, task: LiveTask, files: IterationLayout): Recovered {
  writeRecovery(
    context,
    files,
    task,
    "adopted",
    "Its worker died; the agent's work is taken over by the next worker.",
  );
  return { kind: "adopt" };
}

function reasonOf(found: Found, { ending, foreign }: RecoveryRequest): string {
  if (foreign) return "Its worker ran elsewhere and was declared gone.";
  if (ending) return "Its worker died, and the session was told to end now.";
  if (found === "gone")
    return "Its worker and its agent died, and how the agent ended was not written down.";
  return "Its worker died, and what became of its agent can't be told.";
}
