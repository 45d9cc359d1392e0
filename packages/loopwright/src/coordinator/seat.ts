import {
  type Liveness,
  LoopwrightError,
  type ProcessIdentity,
  sameProcess,
} from "@loopwright/protocol";
import type { State } from "@loopwright/engine";
import { who } from "./locks.ts";

/** What a worker that asks for the seat gets. `foreign`: of the one before nothing can be said from here. */
export type SeatVerdict =
  | { readonly kind: "own" }
  | { readonly kind: "free"; readonly foreign: boolean }
  | { readonly kind: "refused"; readonly error: LoopwrightError };

export interface SeatFacts {
  readonly liveness: Liveness;
  readonly takeOver: boolean;
  /** Monotonic milliseconds since the seat's holder was last heard of. */
  readonly silentMs: number;
  readonly takeoverAfterMs: number;
}

/** The one seat of a session: held by a process, not by a connection (5-protocol.md, "The seat"). */
export function judgeSeat(
  state: State,
  worker: ProcessIdentity,
  facts: () => SeatFacts,
): SeatVerdict {
  const { seat } = state;
  if (seat === null) return { kind: "free", foreign: false };
  if (sameProcess(seat, worker)) return { kind: "own" };
  const { liveness, takeOver, silentMs, takeoverAfterMs } = facts();
  if (liveness === "dead") return { kind: "free", foreign: false };
  if (liveness === "alive")
    return refused(
      "SEAT_TAKEN",
      `A worker is at it: ${who(seat)}${doing(state)}`,
      "It goes on by itself; end that process if another should take over.",
    );
  if (takeOver && silentMs >= takeoverAfterMs) return { kind: "free", foreign: true };
  const rest = Math.max(0, Math.ceil((takeoverAfterMs - silentMs) / 1000));
  return refused(
    "SEAT_UNKNOWN",
    `The seat is held by ${who(seat)}${doing(state)}, of which nothing can be said from here`,
    rest > 0
      ? `It may be taken over with \`loopwright worker --take-over\` after ${rest} more seconds of silence.`
      : "If it is surely gone, run `loopwright worker --take-over`.",
  );
}

function doing(state: State): string {
  return state.task === null ? "" : `, in iteration ${state.task.iteration}`;
}

function refused(code: "SEAT_TAKEN" | "SEAT_UNKNOWN", message: string, hint: string): SeatVerdict {
  return { kind: "refused", error: new LoopwrightError(code, message, { hint }) };
}
