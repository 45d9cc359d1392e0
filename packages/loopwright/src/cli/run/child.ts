import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { spawnHint } from "../../seams/spawn-failure.ts";
import type { ChildMessage } from "./orders.ts";

/** A coordinator or worker that `run` started. It leads a group of its own, so a Ctrl-C in the terminal doesn't reach it. */
export interface Child {
  readonly pid: number;
  /** Sends the order it waits for. */
  order(order: object): void;
  /** Sends it home when nobody needs it: without an order it ends by itself. */
  dismiss(): void;
  terminate(): void;
  /** For one that doesn't take `terminate`: it is frozen, or hangs. */
  kill(): void;
  /** Resolves with the exit code, or -1 for a death by signal. */
  readonly exited: Promise<number>;
  /** The end of what it wrote to stderr, for a crash. */
  stderrTail(): string;
}

const TAIL_LENGTH = 8 * 1024;
/** MiB. They live for days and allocate little: V8's default of 16 only lets rubbish pile up, tens of MB of it. */
const YOUNG_GENERATION = "--max-semi-space-size=1";

/**
 * Starts one at once; it loads while the order is still being made. It outlives us: only its pipes are tied to us. One
 * that could not be started has ended, with the reason as its last words.
 * @param debug it says where its unexpected errors came from
 */
export function startChild(
  role: "coordinator" | "worker",
  debug: boolean,
  onMessage: (message: ChildMessage) => void,
): Child {
  const program = process.argv[1] ?? "";
  const flags = process.execArgv.filter((flag) => !flag.startsWith("--inspect"));
  const words = [role, "--ordered", ...(debug ? ["--debug"] : [])];
  const child = spawn(process.execPath, [YOUNG_GENERATION, ...flags, program, ...words], {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    // The checkout may be deleted and the current directory with it.
    cwd: "/",
  });
  let tail = "";
  const exited = new Promise<number>((resolve) => {
    child.on("error", (error) => {
      if (child.pid !== undefined) return;
      tail = lastWords(error);
      resolve(-1);
    });
    child.on("close", (code) => resolve(code ?? -1));
  });
  const { stdin, stdout, stderr } = child as Partial<
    Pick<typeof child, "stdin" | "stdout" | "stderr">
  >;
  stdin?.on("error", () => undefined);
  stderr?.setEncoding("utf8").on("data", (text: string) => {
    tail = (tail + text).slice(-TAIL_LENGTH);
  });
  if (stdout !== undefined) {
    createInterface({ input: stdout }).on("line", (line) => {
      const message = messageOf(line);
      if (message !== undefined) onMessage(message);
    });
  }
  return {
    pid: child.pid ?? 0,
    order: (order) => void stdin?.end(`${JSON.stringify(order)}\n`),
    dismiss: () => void stdin?.end(),
    terminate: () => void child.kill("SIGTERM"),
    kill: () => void child.kill("SIGKILL"),
    exited,
    stderrTail: () => tail.trim(),
  };
}

/** As it would have told it itself. */
function lastWords(error: NodeJS.ErrnoException): string {
  const hint = spawnHint(error);
  const sentence = `error: it could not be started (${error.code ?? error.message})`;
  return hint === undefined ? sentence : `${sentence}\nhint: ${hint}`;
}

/** Anything else on its stdout isn't for us. */
function messageOf(line: string): ChildMessage | undefined {
  try {
    return JSON.parse(line) as ChildMessage;
  } catch {
    return undefined;
  }
}
