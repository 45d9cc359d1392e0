import type { StateFile } from "@loopwright/protocol";
import type { Phase } from "@loopwright/protocol";

/** What of the world a phase depends on, beside the state. */
export interface PhaseFacts {
  /** The goal's lock is held by a living process, or by one of which nothing can be said. */
  readonly coordinated: boolean;
  /** False: a task is live, and its worker is verifiably dead. Default true. */
  readonly worked?: boolean;
  /** A recovery is at work. */
  readonly recovering?: boolean;
  /** Why nothing is decided although the session runs. */
  readonly waiting?: "paused" | "hold" | "retry" | "question" | null;
}

export function phaseOf(
  state: Pick<StateFile, "status" | "paused" | "task" | "seat">,
  facts: PhaseFacts,
): Phase {
  if (state.status !== "running") return "ended";
  if (!facts.coordinated) return state.paused === null ? "interrupted" : "paused";
  if (facts.recovering === true) return "recovering";
  if (facts.worked === false) return "interrupted";
  if (state.task?.kind === "verification") return "verifying";
  if (state.task !== null) return "executing";
  if (state.paused !== null) return "paused";
  if (facts.waiting === "hold") return "waiting_provider";
  if (facts.waiting === "question") return "waiting_you";
  return "starting";
}
