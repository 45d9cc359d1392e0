import type { Occurrence, State } from "@loopwright/engine";
import type { AgentDocument, Control } from "@loopwright/protocol";
import type { SessionLayout } from "../../store/session-layout.ts";
import type { Seams } from "../seams.ts";

export type LiveTask = NonNullable<State["task"]>;

/** What a recovery works with. It waits in between, so that each commit first looks whether the task is still this one. */
export interface RecoveryContext {
  readonly seams: Seams;
  readonly layout: SessionLayout;
  readonly state: () => State;
  readonly commit: (occurrence: Occurrence) => void;
  /** Monotonic milliseconds that the task was live here. */
  readonly liveMs: () => number;
  readonly switched: () => AgentDocument<Control>;
  /** Aborts when somebody wants the session to end now: no more waiting. */
  readonly hurry: AbortSignal;
}

export interface RecoveryRequest {
  /** A worker waits to take an adoptable attempt over. */
  readonly worker: boolean;
  /** Of its owner nothing can be said from here; a person says that it is gone. */
  readonly foreign: boolean;
  /** `stop --now` or `--kill` waits: nothing is adopted that still runs. */
  readonly ending: boolean;
}

export interface Survivor {
  readonly pid: number;
  readonly command: string;
}

/**
 * `settled`: the task is no longer live. `adopt`: it stays live, and the next worker waits for its agent.
 * `leftovers`: something of it may still run, so nothing new may start.
 */
export type Recovered =
  | { readonly kind: "settled" }
  | { readonly kind: "adopt" }
  | { readonly kind: "leftovers"; readonly survivors: readonly Survivor[] };

export const SETTLED: Recovered = { kind: "settled" };

/** Whether the task is still live: somebody else may have settled it while recovery waited. */
export function isStill(context: RecoveryContext, task: LiveTask): boolean {
  return context.state().task?.attempt_id === task.attempt_id;
}
