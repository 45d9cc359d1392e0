import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Leftover, type ProcessRecord, TEXT_LIMIT } from "@loopwright/protocol";
import { createCompany } from "../process/company.ts";
import type { Launcher } from "../process/launcher.ts";
import type { StartProblem } from "../process/order.ts";
import type { Processes } from "../process/processes.ts";
import type { Clock } from "../seams/clock.ts";
import { readExitFile } from "../process/attempt-files.ts";
import { endRun } from "./end-run.ts";
import { createOutputReader } from "./output-reader.ts";
import type { AgentAdapter, AgentSettings, LaunchPlan, Outcome, Resumed } from "./port.ts";
import { createRedactor, type Redactor } from "./redaction/redactor.ts";
import type { RunLimits } from "./run-clocks.ts";
import { adoptRunning, type AgentEnd, type RunningAgent } from "./running.ts";
import type { StopCause } from "./settle.ts";
import { firstOf, lastOf } from "./text-tail.ts";
import { createTranscript } from "./transcript.ts";
import { isDirectory, watchRun } from "./watch-run.ts";

const EVIDENCE_LIMIT = 2_000;

/** Where the files of a run lie; an `IterationLayout` is one. */
export interface RunFiles {
  readonly process: string;
  readonly exit: string;
  readonly stdoutRaw: string;
  readonly stderrRaw: string;
  readonly transcript: string;
}

export interface RunRequest {
  readonly seams: {
    readonly processes: Processes;
    readonly clock: Clock;
    readonly launcher: Launcher;
  };
  readonly adapter: AgentAdapter;
  readonly settings: AgentSettings;
  readonly resumed: Resumed | null;
  readonly attemptId: string;
  readonly files: RunFiles;
  /** The agent's whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly checkout: string;
  readonly limits: RunLimits;
  /** Bytes of `transcript.jsonl`. */
  readonly transcriptCap: number;
  readonly cancel: AbortSignal;
  readonly detach: AbortSignal;
  /** Of the stop ladder. */
  readonly grace?: { readonly native?: number; readonly term?: number };
}

export type AgentRun =
  /** Recovery was first: nothing was started and nothing will be. */
  | { readonly kind: "withdrawn" }
  /** We left; the agent goes on. */
  | { readonly kind: "detached" }
  | { readonly kind: "not_started"; readonly problem: StartProblem; readonly reason: string }
  | {
      readonly kind: "ended";
      readonly end: AgentEnd;
      readonly stop: StopCause | null;
      /** Text redacted. */
      readonly parsed: Outcome;
      readonly leftovers: Leftover[];
      readonly checkoutGone: boolean;
    };

/** Starts an agent and stays with it to its end. The raw files and `exit.json` stay for whoever has to read again. */
export async function runAgent(request: RunRequest, plan: LaunchPlan): Promise<AgentRun> {
  const { adapter, attemptId, checkout, environment, files, seams } = request;
  layOut(plan);
  const launched = await seams.launcher.launch({
    file: plan.file,
    args: plan.args,
    env: environment,
    cwd: checkout,
    ...(plan.stdin === null ? {} : { stdinPath: plan.stdin }),
    stdoutPath: files.stdoutRaw,
    stderrPath: files.stderrRaw,
    processPath: files.process,
    exitPath: files.exit,
    attemptId,
    adapter: adapter.id,
    argvDigest: createHash("sha256")
      .update(JSON.stringify([plan.file, ...plan.args]))
      .digest("hex"),
  });
  if ("withdrawn" in launched) return { kind: "withdrawn" };
  if ("failed" in launched) {
    if (!launched.uncertain)
      return { kind: "not_started", problem: launched.problem, reason: launched.failed };
    const lost: AgentEnd = { code: null, signal: null, lost: true };
    return follow(
      request,
      { exited: Promise.resolve(lost), seenAlive: false },
      seams.clock.monotonic(),
    );
  }
  return follow(request, { ...launched, seenAlive: true }, seams.clock.monotonic());
}

/** Repeating it after a crash is harmless. */
function layOut({ files, links }: LaunchPlan): void {
  for (const { path, content } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o600 });
  }
  for (const { path, to } of links) {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { recursive: true, force: true });
    if (existsSync(to)) symlinkSync(to, path);
  }
}

/**
 * Stays with an agent whose worker died; the same parser reads the same bytes. Its total clock starts with the wall
 * time since its start: how long it was awake, nobody knows.
 */
export function adoptAgent(request: RunRequest, record: ProcessRecord): Promise<AgentRun> {
  const { clock, processes } = request.seams;
  const running = adoptRunning(record, request.files.exit, {
    processes,
    clock,
    signal: request.detach,
  });
  const age = Math.max(0, clock.wall() - Date.parse(record.started_at));
  return follow(request, running, clock.monotonic() - age);
}

async function follow(
  request: RunRequest,
  running: RunningAgent,
  startedAt: number,
): Promise<AgentRun> {
  const { adapter, attemptId, checkout, files, seams } = request;
  const { clock, processes } = seams;
  const parser = adapter.parser(request.settings, request.resumed);
  const redactor = createRedactor(request.environment);
  const transcript = createTranscript(files.transcript, redactor, request.transcriptCap);
  const reader = createOutputReader(
    { stdout: files.stdoutRaw, stderr: files.stderrRaw },
    parser,
    transcript,
    clock,
  );
  const company = running.shim === undefined ? undefined : createCompany(processes, running.shim);
  try {
    const watched = await watchRun({
      ...request,
      clock,
      running,
      reader,
      startedAt,
      ...(company === undefined ? {} : { company }),
    });
    if ("detached" in watched) return { kind: "detached" };
    // One that was stopped may still have its parents.
    if ("stop" in watched) company?.look();
    const ended = await endRun(watched, {
      processes,
      clock,
      running,
      marker: attemptId,
      seenAlive: running.seenAlive,
      strayed: company?.strayed() ?? [],
      ...(running.shim === undefined ? {} : { shim: running.shim }),
      ...(adapter.nativeSignal === undefined ? {} : { nativeSignal: adapter.nativeSignal }),
      ...(request.grace === undefined ? {} : { grace: request.grace }),
    });
    const end = ended.end.lost === true ? fromFile(files.exit, ended.end) : ended.end;
    if (end.problem !== undefined) {
      return { kind: "not_started", problem: end.problem.kind, reason: end.problem.reason };
    }
    // Everything that could write is gone: what is in the files now is all there will be.
    await reader.drain();
    const parsed = parser.end(end);
    return {
      kind: "ended",
      end,
      stop: "stop" in watched ? watched.stop : null,
      parsed: redacted(parsed, redactor),
      leftovers: ended.leftovers,
      checkoutGone: !isDirectory(checkout),
    };
  } finally {
    reader.close();
  }
}

function redacted(parsed: Outcome, redactor: Redactor): Outcome {
  const text = lastOf(redactor.text(parsed.text), TEXT_LIMIT);
  if (parsed.evidence === undefined) return { ...parsed, text };
  return { ...parsed, text, evidence: firstOf(redactor.text(parsed.evidence), EVIDENCE_LIMIT) };
}

/** The shim may have written down what it could no longer tell us. */
function fromFile(path: string, lost: AgentEnd): AgentEnd {
  try {
    const exit = readExitFile(path);
    return exit === undefined ? lost : { code: exit.code, signal: exit.signal };
  } catch {
    return lost;
  }
}
