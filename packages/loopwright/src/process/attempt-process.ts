import type { Writable } from "node:stream";
import type { ProcessIdentity } from "@loopwright/protocol";
import type { StartProblem } from "./order.ts";

/** A started attempt, as the worker that started it holds it. */
export interface AttemptProcess {
  /** Leader of the attempt's group and session. */
  readonly shim: ProcessIdentity;
  readonly agentPid: number;
  /** The agent's stdin, if the order asked for a pipe. Ends only when told to, or with the worker. */
  readonly stdin?: Writable;
  /** Resolves once when the agent's own process has ended and `exit.json` is durable; never rejects. */
  readonly exited: Promise<AgentExit>;
}

export interface AgentExit {
  /** `null` after a death by signal. */
  readonly code: number | null;
  /** `SIGKILL`, …; `null` after an exit. */
  readonly signal: string | null;
  /** The shim died before it could say how the agent ended; the agent may still run. Sweep, then call it a crash. */
  readonly lost?: true;
}

/**
 * `withdrawn`: recovery was first; nothing was started and nothing will be.
 * `failed`: one sentence. Where `exit.json` exists it says the same. `uncertain`: the shim died before it answered,
 * so the agent may have been started: sweep before anything else.
 */
export type Launched =
  | AttemptProcess
  | { readonly withdrawn: true }
  | { readonly failed: string; readonly problem: StartProblem; readonly uncertain: boolean };
