import { join } from "node:path";
import { below } from "./below.ts";
import { LoopwrightError } from "@loopwright/protocol";
import { type IterationLayout, iterationLayout } from "./iteration-layout.ts";
import { pathSegment } from "./path-segment.ts";

/** Where the files of one session lie; what is in them stands in docs/internals. */
export interface SessionLayout {
  readonly directory: string;
  readonly goal: string;
  readonly session: string;
  readonly journal: string;
  readonly state: string;
  readonly control: string;
  readonly projectState: string;
  readonly requests: string;
  readonly requestsDone: string;
  readonly inputs: string;
  readonly evaluations: string;
  /** What an agent CLI keeps of its own: configuration, its sessions. */
  agentHome(agent: string): string;
  readonly iterations: string;
  readonly children: string;
  readonly coordinator: string;
  readonly report: string;
  /** What took the place of `session.json` or its pins later, by the sha256 of its text. */
  readonly frozen: string;
  request(workflowId: string): string;
  input(inputId: string): string;
  /** `sha256`: 64 hex digits. */
  frozenFile(sha256: string): string;
  /** `n` from 1. */
  iteration(n: number, workflowId: string): IterationLayout;
  /** Verification `k` (from 1) after iteration `n`; the baseline has `n` 0. */
  evaluation(n: number, k: number): EvaluationLayout;
}

export interface EvaluationLayout {
  readonly directory: string;
  readonly receipt: string;
  /** What was found in place of protected files. */
  readonly replaced: string;
}

/** The layout of one session directory, wherever it lies (children and archived ones have the same one). */
export function sessionLayout(directory: string): SessionLayout {
  const at = below(directory);
  return {
    directory,
    goal: at("goal.md"),
    session: at("session.json"),
    journal: at("journal.jsonl"),
    state: at("state.json"),
    control: at("control.json"),
    projectState: at("project_state"),
    requests: at("project_state", "requests"),
    requestsDone: at("project_state", "requests", "done"),
    inputs: at("inputs"),
    evaluations: at("evaluations"),
    iterations: at("iterations"),
    children: at("children"),
    coordinator: at("coordinator.json"),
    agentHome: (name) => at("agents", pathSegment(name, "agent name", "FILE_UNSAFE")),
    report: at("REPORT.md"),
    frozen: at("frozen"),
    request: (workflowId) => at("project_state", "requests", `${workflow(workflowId)}.md`),
    input: (inputId) => at("inputs", `${pathSegment(inputId, "input id", "FILE_UNSAFE")}.json`),
    frozenFile: (sha256) =>
      at("frozen", `${pathSegment(sha256, "content hash", "FILE_UNSAFE")}.json`),
    iteration: (n, workflowId) =>
      iterationLayout(at("iterations", `${number(n, 1)}_${workflow(workflowId)}`)),
    evaluation: (n, k) => evaluationLayout(at("evaluations", `${number(n, 0)}-${count(k)}`)),
  };
}

function evaluationLayout(directory: string): EvaluationLayout {
  return {
    directory,
    receipt: join(directory, "receipt.json"),
    replaced: join(directory, "replaced"),
  };
}

function workflow(workflowId: string): string {
  return pathSegment(workflowId, "workflow id", "FILE_UNSAFE");
}

function number(n: number, least: number): string {
  if (Number.isSafeInteger(n) && n >= least) return String(n).padStart(4, "0");
  throw new LoopwrightError("ITERATION_NOT_FOUND", `There is no iteration ${n}`);
}

function count(k: number): string {
  if (Number.isSafeInteger(k) && k >= 1) return String(k);
  throw new LoopwrightError("ITERATION_NOT_FOUND", `There is no verification ${k}`);
}
