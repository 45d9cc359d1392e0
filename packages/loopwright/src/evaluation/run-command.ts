import { createHash } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { FrozenCheck, Leftover } from "@loopwright/protocol";
import { agentEnvironment } from "../agents/environment.ts";
import { writeOutputLog } from "../agents/output-log.ts";
import type { AgentExit, AttemptProcess } from "../process/attempt-process.ts";
import type { Launcher } from "../process/launcher.ts";
import type { Processes } from "../process/processes.ts";
import { stopAttempt } from "../process/stop-ladder.ts";
import { sweepAttempt } from "../process/sweep.ts";
import type { Clock } from "../seams/clock.ts";

export interface CommandSeams {
  readonly processes: Processes;
  readonly launcher: Launcher;
  readonly clock: Clock;
}

export interface CommandRequest extends CommandSeams {
  readonly checkout: string;
  /** The marker of everything that runs. */
  readonly attemptId: string;
  /** Where outputs and process records go. */
  readonly directory: string;
  /** The user's environment, of which the allow-listed part is passed on. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted: the check is ended. */
  readonly signal: AbortSignal;
}

/** How a check's program ended. `stdout` is a raw file that the caller removes together with `stderr`. */
export interface CommandEnd {
  readonly end:
    | { readonly kind: "exit"; readonly exit: AgentExit }
    | { readonly kind: "not_started"; readonly reason: string }
    | { readonly kind: "timed_out" | "cancelled" | "too_much_output" };
  readonly leftovers: Leftover[];
  /** Milliseconds, on the monotonic clock. */
  readonly duration: number;
  readonly raw: { readonly stdout: string; readonly stderr: string };
}

/** Beyond this a check is a flood, and is ended. */
const OUTPUT_LIMIT = 256 * 1024 * 1024;
const LOOK_EVERY_MS = 500;

/** Runs a check's program in a group of its own; when this returns nothing of it runs any more, or a leftover says so. */
export async function runCommand(
  check: FrozenCheck,
  name: string,
  request: CommandRequest,
): Promise<CommandEnd> {
  const { clock, processes, attemptId } = request;
  const raw = {
    stdout: join(request.directory, `${name}.stdout.raw`),
    stderr: join(request.directory, `${name}.stderr.raw`),
  };
  const begun = clock.monotonic();
  const launched = await request.launcher.launch(orderOf(check, name, raw, request));
  const scope = { processes, clock, marker: attemptId };
  const ended = (end: CommandEnd["end"], leftovers: Leftover[]): CommandEnd => ({
    end,
    leftovers,
    duration: Math.round(clock.monotonic() - begun),
    raw,
  });
  if ("withdrawn" in launched)
    return ended({ kind: "not_started", reason: "it was withdrawn" }, []);
  if ("failed" in launched) {
    const leftovers = launched.uncertain ? await sweepAttempt(scope) : [];
    return ended({ kind: "not_started", reason: launched.failed }, leftovers);
  }
  const seen = { ...scope, shim: launched.shim, seenAlive: true };
  const end = await waitFor(launched, check.timeout, raw, request);
  if (end.kind !== "exit") {
    const { survivors } = await stopAttempt({
      ...seen,
      grace: { term: 2_000 },
      signal: request.signal,
    });
    return ended(
      end,
      survivors.map(({ pid, command }) => ({ pid, command, ports: [], ended: false })),
    );
  }
  return ended(end, await sweepAttempt(seen));
}

/** The stored output: both streams in one file, redacted, cut in the middle. The raw files are removed. */
export async function storeOutput(
  raw: CommandEnd["raw"],
  path: string,
  environment: CommandRequest["environment"],
): Promise<void> {
  await writeOutputLog(path, raw, environment, 1024 * 1024);
  for (const file of [raw.stdout, raw.stderr]) rmSync(file, { force: true });
}

function orderOf(
  check: FrozenCheck,
  name: string,
  raw: CommandEnd["raw"],
  request: CommandRequest,
): Parameters<Launcher["launch"]>[0] {
  const argv = typeof check.run === "string" ? ["/bin/sh", "-c", check.run] : (check.run ?? []);
  const [file = "", ...args] = argv;
  return {
    file,
    args,
    env: agentEnvironment({
      user: request.environment,
      settings: { env: {}, pass_env: [] },
      assignment: {},
    }),
    cwd: join(request.checkout, check.cwd ?? "."),
    stdoutPath: raw.stdout,
    stderrPath: raw.stderr,
    processPath: join(request.directory, `${name}.process.json`),
    exitPath: join(request.directory, `${name}.exit.json`),
    attemptId: request.attemptId,
    adapter: "check",
    argvDigest: createHash("sha256").update(JSON.stringify(argv)).digest("hex"),
  };
}

async function waitFor(
  attempt: AttemptProcess,
  timeout: number,
  raw: CommandEnd["raw"],
  { clock, signal }: CommandRequest,
): Promise<CommandEnd["end"]> {
  const deadline = clock.monotonic() + timeout;
  let exit: AgentExit | undefined;
  const over = new AbortController();
  const exited = attempt.exited.then((how) => {
    exit = how;
    over.abort();
  });
  const wakes = AbortSignal.any([signal, over.signal]);
  for (;;) {
    if (exit !== undefined) return { kind: "exit", exit };
    if (signal.aborted) return { kind: "cancelled" };
    const left = deadline - clock.monotonic();
    if (left <= 0) return { kind: "timed_out" };
    if (sizeOf(raw.stdout) + sizeOf(raw.stderr) > OUTPUT_LIMIT) return { kind: "too_much_output" };
    await Promise.race([exited, clock.sleep(Math.min(left, LOOK_EVERY_MS), wakes)]);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
