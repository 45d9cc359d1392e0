import { realpathSync } from "node:fs";
import {
  type ProblemBody,
  PROTOCOL,
  type SessionStatus,
  type StopReason,
  type Task,
  type WorkerAnswer,
} from "@loopwright/protocol";
import { readHead } from "../git/index.ts";
import { createLauncher } from "../process/launcher.ts";
import { type CheckoutEvidence, openCheckoutEvidence } from "./checkout-evidence.ts";
import { type Answer, type CoordinatorClient, createClient } from "./coordinator-client.ts";
import { type Discovery, discoverySession, fixedAddress } from "./discovery.ts";
import { createPatience } from "./patience.ts";
import { checkoutCacheOf } from "./session-place.ts";
import type { Grace, TaskContext } from "./task-context.ts";
import { runVerificationTask } from "./verification-task.ts";
import type { WorkerSeams } from "./worker-seams.ts";
import { refuseForeign, runWorkflowTask } from "./workflow-task.ts";

export interface WorkerOptions {
  readonly seams: WorkerSeams;
  /** The coordinator is found through its `coordinator.json`. Either this, or `url` and `token`. */
  readonly sessionDirectory?: string;
  readonly url?: string;
  readonly token?: string;
  /** Take the seat of a worker of whom nothing can be said from here. A person's decision. */
  readonly takeOver?: boolean;
  /** Work tree. */
  readonly checkout: string;
  /** Of this program. */
  readonly version: string;
  /** Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Aborted: leave at once. A running agent goes on and is adopted by the next worker. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: WorkerEvent) => void;
  readonly grace?: Grace;
}

export type WorkerEvent =
  | { readonly type: "task_started"; readonly task: Task }
  | { readonly type: "task_ended"; readonly task: Task; readonly outcome: string }
  | { readonly type: "trouble"; readonly message: string };

export type WorkerEnd =
  | {
      readonly ended: "stopped";
      readonly status: SessionStatus;
      readonly stop_reason: StopReason | null;
    }
  | { readonly ended: "refused"; readonly problem: ProblemBody }
  /** Nobody has held the goal for `worker_patience`, or we were told to leave. What is unreported stays on disk. */
  | { readonly ended: "gave_up" };

/** Registers, runs one task after the other and reports each, until the coordinator says stop. */
export async function runWorker(options: WorkerOptions): Promise<WorkerEnd> {
  const { seams } = options;
  const detach = options.signal ?? new AbortController().signal;
  const launcher = createLauncher({ processes: seams.processes });
  // It is up by the time that the first task is there.
  launcher.prepare();
  const readers = createReaders(seams);
  const client = connect(options, detach);
  const context: TaskContext = {
    seams,
    launcher,
    evidence: readers.of,
    environment: options.environment ?? process.env,
    detach,
    ...(options.grace === undefined ? {} : { grace: options.grace }),
  };
  try {
    const withdrawn = new Set<string>();
    let answer = await client.ask("/register", await registration(options));
    while (answer.kind === "answer" && answer.answer.action === "run") {
      answer = await runTask(options, context, client, answer.answer, withdrawn);
    }
    return endOf(answer);
  } finally {
    client.close();
    readers.close();
    launcher.close();
  }
}

async function runTask(
  options: WorkerOptions,
  context: TaskContext,
  client: CoordinatorClient,
  task: Task,
  withdrawn: Set<string>,
): Promise<Answer> {
  options.onEvent?.({ type: "task_started", task });
  const envelope = { ...sender(options), epoch: task.epoch };
  const isWithdrawn = withdrawn.has(task.attempt_id);
  const report = await perform(context, task, isWithdrawn);
  if (report === "detached") return { kind: "detached" };
  const outcome = report === "withdrawn" ? report : report.outcome;
  options.onEvent?.({ type: "task_ended", task, outcome });
  // Recovery took the attempt back before its agent started: it never was.
  if (report === "withdrawn") {
    withdrawn.add(task.attempt_id);
    return client.ask("/register", await registration(options));
  }
  return client.ask("/finished", { ...report.body, ...envelope });
}

async function perform(
  context: TaskContext,
  task: Task,
  isWithdrawn: boolean,
): Promise<{ readonly body: object; readonly outcome: string } | "withdrawn" | "detached"> {
  if (task.kind === "workflow") {
    // Given out again nevertheless: not by recovery, which would have given its number to another attempt.
    const done = await (isWithdrawn ? refuseForeign : runWorkflowTask)(context, task);
    if (typeof done === "string") return done;
    return { body: { ...done.result, result_sha256: done.sha256 }, outcome: done.result.outcome };
  }
  const done = await runVerificationTask(context, task);
  if (done === "detached") return done;
  const body = { session_id: task.session_id, attempt_id: task.attempt_id, ...done };
  return { body, outcome: done.receipt?.outcome ?? "error" };
}

function sender({ seams, version }: WorkerOptions) {
  return { protocol: PROTOCOL, program_version: version, worker: seams.processes.self() };
}

async function registration(options: WorkerOptions): Promise<object> {
  const { checkout, takeOver = false } = options;
  const head = await readHead(checkout);
  return {
    ...sender(options),
    repo: { root: realPath(checkout), head: "gone" in head ? null : head.head },
    take_over: takeOver,
  };
}

function connect(options: WorkerOptions, signal: AbortSignal): CoordinatorClient {
  const { seams, sessionDirectory, onEvent } = options;
  return createClient({
    discovery: discoveryOf(options),
    patience: createPatience(seams, sessionDirectory),
    signal,
    onTrouble: (message) => onEvent?.({ type: "trouble", message }),
  });
}

function discoveryOf({ seams, sessionDirectory, url, token }: WorkerOptions): Discovery {
  if (url !== undefined && token !== undefined) return fixedAddress({ url, token }, seams.clock);
  if (sessionDirectory !== undefined) return discoverySession(sessionDirectory, seams.clock);
  throw new TypeError("A worker needs a session directory, or a URL and a token.");
}

function endOf(answer: Answer | { kind: "answer"; answer: WorkerAnswer }): WorkerEnd {
  switch (answer.kind) {
    case "answer": {
      if (answer.answer.action === "run") throw new TypeError("a task is not an end");
      const { status, stop_reason } = answer.answer;
      return { ended: "stopped", status, stop_reason };
    }
    case "stopped":
      return { ended: "stopped", status: answer.status, stop_reason: answer.stop_reason };
    case "refused":
      return { ended: "refused", problem: answer.problem };
    case "gave_up":
    case "detached":
      return { ended: "gave_up" };
  }
}

function createReaders(seams: WorkerSeams) {
  const open = new Map<string, CheckoutEvidence>();
  return {
    of(checkout: string, sessionDirectory: string): CheckoutEvidence {
      const known = open.get(checkout);
      if (known !== undefined) return known;
      const reader = openCheckoutEvidence(checkout, checkoutCacheOf(sessionDirectory), seams);
      open.set(checkout, reader);
      return reader;
    },
    close(): void {
      for (const reader of open.values()) reader.close();
    },
  };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
