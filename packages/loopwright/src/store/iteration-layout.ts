import { below } from "./below.ts";

/** Where the files of one iteration lie. The agent may write below `out` only. */
export interface IterationLayout {
  readonly directory: string;
  readonly prompt: string;
  readonly paths: string;
  readonly contract: string;
  readonly process: string;
  readonly stdoutRaw: string;
  readonly stderrRaw: string;
  readonly output: string;
  readonly transcript: string;
  readonly exit: string;
  readonly out: string;
  readonly report: string;
  readonly goalCheck: string;
  /** The agent's request to stop; the worker takes it by rename to `controlTaken`. */
  readonly control: string;
  readonly controlTaken: string;
  readonly childRequests: string;
  readonly harness: string;
  readonly harnessRun: string;
  readonly changes: string;
  readonly result: string;
  readonly cancel: string;
  readonly recovery: string;
  /** Where the directory goes when its attempt never started, for the `k`-th time (from 1). */
  withdrawn(k: number): string;
}

export function iterationLayout(directory: string): IterationLayout {
  const at = below(directory);
  return {
    directory,
    prompt: at("prompt.md"),
    paths: at("paths.json"),
    contract: at("contract.json"),
    process: at("process.json"),
    stdoutRaw: at("stdout.raw"),
    stderrRaw: at("stderr.raw"),
    output: at("output.log"),
    transcript: at("transcript.jsonl"),
    exit: at("exit.json"),
    out: at("out"),
    report: at("out", "report.json"),
    goalCheck: at("out", "goal_check.json"),
    control: at("out", "control.json"),
    controlTaken: at("control_taken.json"),
    childRequests: at("out", "child_requests"),
    harness: at("harness"),
    harnessRun: at("harness", "run.json"),
    changes: at("changes.json"),
    result: at("result.json"),
    cancel: at("cancel.json"),
    recovery: at("recovery.json"),
    withdrawn: (k) => `${directory}.withdrawn-${k}`,
  };
}
