import type { Cause, OutcomeKind } from "@loopwright/protocol";
import type { Outcome } from "./port.ts";
import type { RunClock } from "./run-clocks.ts";

/** Why we ended a run. */
export type StopCause = "cancelled" | "output_size" | "workspace" | RunClock;

export interface RunFacts {
  readonly stop: StopCause | null;
  readonly parsed: Outcome;
  readonly reportValid: boolean;
  readonly checkoutGone: boolean;
  readonly diskFull: boolean;
}

export interface Settled {
  readonly outcome: OutcomeKind;
  readonly cause?: Cause;
  readonly evidence?: string;
  readonly orderly: boolean;
}

const STOPPED: Readonly<Record<StopCause, Omit<Settled, "orderly">>> = {
  cancelled: { outcome: "cancelled", evidence: "a stop was asked for" },
  total: { outcome: "timed_out", evidence: "ran longer than its time limit" },
  first_byte: {
    outcome: "silent",
    evidence: "printed nothing from its start to the silence limit",
  },
  silence: { outcome: "silent", evidence: "printed nothing for longer than the silence limit" },
  after_final: {
    outcome: "failed",
    cause: "unknown",
    evidence: "did not exit after its final event",
  },
  output_size: { outcome: "policy", evidence: "printed more than 2 GiB" },
  workspace: { outcome: "workspace_gone", evidence: "its checkout disappeared while it ran" },
};

/** The outcome of a whole run: what we did comes first, then what happened around it, then what its parser says. */
export function settleOutcome(facts: RunFacts): Settled {
  const { parsed } = facts;
  if (facts.stop !== null) return { ...STOPPED[facts.stop], orderly: false };
  if (facts.checkoutGone) return { ...STOPPED.workspace, orderly: parsed.orderly };
  if (parsed.outcome !== "ok" && facts.diskFull) {
    return {
      outcome: "disk",
      evidence: "the disk was full when it ended",
      orderly: parsed.orderly,
    };
  }
  if (
    parsed.outcome === "ok" &&
    (parsed.endedDenied || (parsed.denials > 0 && !facts.reportValid))
  ) {
    const evidence = parsed.endedDenied
      ? "its last action was refused"
      : `${parsed.denials} of its actions were refused and there is no valid report`;
    return { outcome: "denied", evidence, orderly: parsed.orderly };
  }
  const { outcome, cause, evidence, orderly } = parsed;
  return {
    outcome,
    orderly,
    ...(cause === undefined ? {} : { cause }),
    ...(evidence === undefined ? {} : { evidence }),
  };
}
