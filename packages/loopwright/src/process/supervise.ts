import { writeSync } from "node:fs";
import { basename, dirname } from "node:path";
import { createRecord, type Step, writeRecord } from "./durable-record.ts";
import { closeInheritedFiles } from "./inherited-files.ts";
import {
  CHANNEL,
  directoryIdentity,
  type Order,
  type ShimMessage,
  type ShimOrder,
  type StartProblem,
} from "./order.ts";
import { ownIdentity } from "./own-identity.ts";
import { receiveOrder } from "./receive-order.ts";
import { type AgentStart, fileProblem, startAgent } from "./start-agent.ts";

/** How long, and how often, the exit is offered to a disk that refuses it. */
const STORE_TRIES = 120;
const STORE_PAUSE_MS = 500;

/** The whole life of a shim: wait for an order, claim the attempt, run the agent, leave word of its end, exit. */
export function supervise(step: Step): void {
  outliveSignals();
  closeInheritedFiles();
  const identity = ownIdentity();
  const received = receiveOrder();
  if (received === undefined) process.exit(0);
  const { order, rest } = received;

  // Whoever creates process.json first decides: we, and the agent starts; or recovery, and it never does.
  // A crash before the link leaves nothing: recovery withdraws. A crash after it leaves an attempt without an agent,
  // which recovery abandons once it sees that nothing of it lives.
  let claimed: boolean;
  try {
    claimed = claim(order, processRecord(order, identity), step);
  } catch (error) {
    const reason = `process.json could not be written: ${(error as Error).message}`;
    return leave({ type: "failed", reason, problem: fileProblem(error) });
  }
  if (!claimed) return leave({ type: "withdrawn" });

  step("start agent");
  startAgent(order, rest, {
    started: (pid) =>
      tell({ type: "started", pid: identity.pid, start_time: identity.start_time, agent_pid: pid }),
    failed: (problem, reason) => {
      const end = { type: "failed", reason, problem } as const;
      store(
        order.exitPath,
        exitRecord(order, { code: null, signal: null, error: reason, problem }),
        end,
        step,
      );
    },
    exited: (code, signal) => {
      store(
        order.exitPath,
        exitRecord(order, { code, signal }),
        { type: "exited", code, signal },
        step,
      );
    },
  } satisfies AgentStart);
}

/**
 * Creates process.json in the very directory that the order meant. A recovery that withdrew the attempt has moved that
 * one aside, and the next attempt may already have made another under its name: there is nothing for us to start then.
 * The record is created relative to the directory itself, so that no renaming comes in between.
 */
function claim(order: ShimOrder, record: object, step: Step): boolean {
  process.chdir(dirname(order.processPath));
  try {
    if (order.directory !== undefined && directoryIdentity(".") !== order.directory) return false;
    return createRecord(basename(order.processPath), record, step);
  } finally {
    process.chdir("/");
  }
}

interface End {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: string;
  readonly problem?: StartProblem;
}

/** Durable first, told second. On a full disk it is told at once and stored as soon as there is room. */
function store(
  path: string,
  record: object,
  message: ShimMessage,
  step: Step,
  tries = STORE_TRIES,
): void {
  try {
    writeRecord(path, record, step);
    return leave(message);
  } catch {
    if (tries === STORE_TRIES) tell(message);
    if (tries <= 1) process.exit(1);
    setTimeout(() => store(path, record, message, step, tries - 1), STORE_PAUSE_MS);
  }
}

function exitRecord(order: Order, end: End): object {
  return {
    schema_version: 1,
    attempt_id: order.attemptId,
    ...end,
    finished_at: new Date().toISOString(),
  };
}

function processRecord(order: Order, identity: ReturnType<typeof ownIdentity>): object {
  return {
    schema_version: 1,
    attempt_id: order.attemptId,
    ...identity,
    group: identity.pid,
    adapter: order.adapter,
    argv_digest: order.argvDigest,
    started_at: new Date().toISOString(),
  };
}

/** They reach the agent through the group; somebody must stay to write down how it took them. */
function outliveSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const) {
    process.on(signal, () => {});
  }
}

function leave(message: ShimMessage): never {
  tell(message);
  process.exit(0);
}

/** The worker may be gone; then exit.json alone says it. */
function tell(message: ShimMessage): void {
  try {
    writeSync(CHANNEL, `${JSON.stringify(message)}\n`);
  } catch {
    // EPIPE: nobody listens any more.
  }
}
