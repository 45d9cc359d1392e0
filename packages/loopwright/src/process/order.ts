import { statSync } from "node:fs";

/** What the worker asks of a shim: one program, where everything of it goes, and under which name. */
export interface Order {
  /** Program, looked up on the PATH of `env` if it has no slash. */
  readonly file: string;
  readonly args: readonly string[];
  /** The agent's whole environment; the marker is added to it and nothing else. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** File that becomes the agent's stdin. Without it, and without `stdinPipe`, stdin is empty. */
  readonly stdinPath?: string;
  /** For dialogues: `AttemptProcess.stdin` feeds the agent; its end, or the worker's death, closes the agent's stdin. */
  readonly stdinPipe?: boolean;
  /** Created by the shim with mode 0600; must not exist. */
  readonly stdoutPath: string;
  readonly stderrPath: string;
  readonly processPath: string;
  readonly exitPath: string;
  /** Also the marker's value. */
  readonly attemptId: string;
  readonly adapter: string;
  readonly argvDigest: string;
}

/** The order as it travels. */
export interface ShimOrder extends Order {
  /** Which directory `processPath` meant when the order was given, whatever has that name by now. */
  readonly directory?: string;
}

/** Tells directories apart that had the same name one after the other; undefined when there is none. */
export function directoryIdentity(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}

export type StartProblem = "program" | "workspace" | "files" | "disk";

/** Lines of JSON that the shim sends back over the pipe, one of the first three, then `exited`. */
export type ShimMessage =
  | { type: "withdrawn" }
  | { type: "failed"; reason: string; problem: StartProblem }
  | { type: "started"; pid: number; start_time: string; agent_pid: number }
  | { type: "exited"; code: number | null; signal: string | null };

/** Descriptor of the pipe in the shim: the order comes in, messages go out. */
export const CHANNEL = 3;
