import { spawn } from "node:child_process";
import { LoopwrightError } from "@loopwright/protocol";
import { spawnHint } from "../seams/spawn-failure.ts";
import { gitEnvironment, SAFE_FLAGS } from "./git-environment.ts";

export interface GitOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: Uint8Array;
  /** Milliseconds; the process is killed then. Default 5 minutes. */
  readonly timeout?: number;
}

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A started git whose standard input is still open, so that its start costs nothing later. */
export interface StartedGit {
  /** Writes the input, closes it and waits for the end. May be called once. */
  finish(stdin: Uint8Array, timeout?: number): Promise<GitResult>;
  /** Ends it without a result. */
  cancel(): void;
}

/** Sockets can be kept from holding the event loop open; the types of child streams don't say so. */
interface Unreferenced {
  ref(): void;
  unref(): void;
}

const DEFAULT_TIMEOUT = 300_000;
const MAX_STDOUT = 256 * 1024 * 1024;
const MAX_STDERR = 64 * 1024;

/**
 * Runs git, never through a shell; an exit code other than 0 is a result. Throws GIT_FAILED only where git could not
 * run at all, took too long or printed more than 256 MiB.
 */
export function git(arguments_: readonly string[], options: GitOptions): Promise<GitResult> {
  const started = startGit(arguments_, options);
  return started.finish(options.stdin ?? new Uint8Array(), options.timeout);
}

/** Like `git`, but an exit code other than 0 throws GIT_FAILED with git's own first line. */
export async function gitOutput(
  arguments_: readonly string[],
  options: GitOptions,
): Promise<Buffer> {
  const result = await git(arguments_, options);
  if (result.code === 0) return result.stdout;
  throw gitFailed(arguments_, options.cwd, `ended with ${result.code}`, result.stderr);
}

export function startGit(
  arguments_: readonly string[],
  options: Pick<GitOptions, "cwd" | "env">,
): StartedGit {
  const child = spawn("git", [...SAFE_FLAGS, ...arguments_], {
    cwd: options.cwd,
    env: gitEnvironment(options.env),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = new Promise<number | string | NodeJS.ErrnoException>((resolve) => {
    child.on("error", resolve);
    child.on("close", (code, signal) => resolve(code ?? `was ended by ${signal}`));
  });
  const { stdin, stdout: output, stderr: errors } = child as Partial<typeof child>;
  const handles = [child, stdin, output, errors] as (Partial<Unreferenced> | undefined)[];
  for (const handle of handles) handle?.unref?.();
  const stdout: Buffer[] = [];
  let stdoutBytes = 0;
  let stderr = "";
  let overflow = false;
  // A git that ends before it has read its input closes the pipe; its exit code tells the rest.
  stdin?.on("error", () => {});
  output?.on("data", (chunk: Buffer) => {
    stdoutBytes += chunk.length;
    overflow ||= stdoutBytes > MAX_STDOUT;
    if (overflow) child.kill("SIGKILL");
    else stdout.push(chunk);
  });
  errors?.on("data", (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR) stderr += chunk.toString("utf8");
  });
  return {
    finish: async (input, timeout = DEFAULT_TIMEOUT) => {
      for (const handle of handles) handle?.ref?.();
      stdin?.end(input);
      const timer = setTimeout(() => child.kill("SIGKILL"), timeout);
      const end = await ended;
      clearTimeout(timer);
      if (overflow) throw gitFailed(arguments_, options.cwd, "printed too much", "");
      if (end instanceof Error) throw notStarted(arguments_, options.cwd, end);
      if (typeof end === "string") throw gitFailed(arguments_, options.cwd, end, stderr);
      return { code: end, stdout: Buffer.concat(stdout), stderr };
    },
    cancel: () => {
      child.kill("SIGTERM");
    },
  };
}

function gitFailed(
  arguments_: readonly string[],
  cwd: string,
  what: string,
  stderr: string,
): LoopwrightError {
  const line = firstLine(stderr);
  const said = line === "" ? "" : `: ${line}`;
  const hint = line.includes("dubious ownership")
    ? `git config --global --add safe.directory '${cwd}'`
    : undefined;
  const message = `git ${commandOf(arguments_)} in ${cwd} ${what}${said}`;
  return new LoopwrightError("GIT_FAILED", message, hint === undefined ? {} : { hint });
}

function notStarted(
  arguments_: readonly string[],
  cwd: string,
  error: NodeJS.ErrnoException,
): LoopwrightError {
  const hint = error.code === "ENOENT" ? "Install git and put it on PATH." : spawnHint(error);
  const message = `git ${commandOf(arguments_)} in ${cwd} could not be started (${error.code ?? error.message})`;
  return new LoopwrightError("GIT_FAILED", message, hint === undefined ? {} : { hint });
}

function commandOf(arguments_: readonly string[]): string {
  return arguments_.find((argument) => !argument.startsWith("-")) ?? "";
}

/** The line that says what is wrong: git's `fatal:` or `error:` line, else its first. */
export function firstLine(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  return lines.find((line) => /^(fatal|error):/.test(line)) ?? lines.find((line) => line) ?? "";
}
