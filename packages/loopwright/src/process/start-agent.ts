import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { closeSync, openSync, statSync } from "node:fs";
import { MARKER } from "./marker.ts";
import { CHANNEL, type Order, type StartProblem } from "./order.ts";

/** Exactly one of: `failed`; or `started` and later `exited`. */
export interface AgentStart {
  started(pid: number): void;
  failed(problem: StartProblem, reason: string): void;
  /** The process itself has ended. Its output may still be held open by what it left behind. */
  exited(code: number | null, signal: string | null): void;
}

/** Starts the agent in this process's group with its output going straight to files. */
export function startAgent(order: Order, stdinBegin: Buffer, events: AgentStart): void {
  if (!isDirectory(order.cwd)) {
    return events.failed("workspace", `The working directory ${order.cwd} is missing.`);
  }
  let stdio: StdioOptions;
  try {
    stdio = openFiles(order);
  } catch (error) {
    return events.failed(
      fileProblem(error),
      `The attempt's files could not be opened: ${(error as Error).message}`,
    );
  }
  let child: ChildProcess;
  try {
    child = spawn(order.file, order.args, {
      cwd: order.cwd,
      env: { ...order.env, [MARKER]: order.attemptId },
      stdio,
    });
  } catch (error) {
    return events.failed("program", cannotStart(order, error as NodeJS.ErrnoException));
  }
  for (const file of stdio) if (typeof file === "number") closeSync(file);
  child.once("error", (error) => {
    if (child.pid === undefined) events.failed("program", cannotStart(order, error));
  });
  child.once("exit", (code, signal) => events.exited(code, signal));
  if (child.pid === undefined) return;
  events.started(child.pid);
  if (order.stdinPipe) void feed(child, stdinBegin);
}

export function fileProblem(error: unknown): "files" | "disk" {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" ? "disk" : "files";
}

function openFiles(order: Order): (number | "pipe" | "ignore")[] {
  const stdin = order.stdinPipe
    ? "pipe"
    : order.stdinPath === undefined
      ? "ignore"
      : openSync(order.stdinPath, "r");
  return [stdin, openSync(order.stdoutPath, "wx", 0o600), openSync(order.stderrPath, "wx", 0o600)];
}

/** Whatever follows the order on our pipe is the agent's stdin. Loaded here because few attempts need it. */
async function feed(child: ChildProcess, begin: Buffer): Promise<void> {
  const stdin = child.stdin;
  if (stdin === null) return;
  // An agent that closes its stdin early is no error of ours.
  stdin.on("error", () => {});
  stdin.write(begin);
  const { Socket } = await import("node:net");
  // Writable although we never write through it: else it would close the descriptor at the end of what it reads.
  const channel = new Socket({ fd: CHANNEL, readable: true, writable: true, allowHalfOpen: true });
  channel.on("error", () => stdin.end());
  channel.pipe(stdin);
}

function cannotStart(order: Order, error: NodeJS.ErrnoException): string {
  const why: Record<string, string> = {
    ENOENT: "it was not found",
    EACCES: "it may not be executed",
    E2BIG: "its arguments and environment are too long",
    ENOEXEC: "it is not in an executable format",
  };
  const reason = why[error.code ?? ""] ?? error.message;
  return `The program "${order.file}" could not be started: ${reason}${error.code ? ` (${error.code})` : ""}.`;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
