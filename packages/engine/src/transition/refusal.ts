import type { ErrorCode } from "@loopwright/protocol";
import { isTerminal, type State } from "../state/state.ts";
import type { Occurrence } from "./occurrence.ts";

export interface Refusal {
  readonly refused: ErrorCode;
  readonly message: string;
}

/** Why a person's request would change nothing, for an answer better than silence. `null`: it would, or it already holds. */
export function refusal(state: State, occurrence: Occurrence): Refusal | null {
  if (!isTerminal(state)) return null;
  const ended = `Session ${state.session_id} has ended (${state.status}, ${state.stop_reason ?? "unknown"})`;
  switch (occurrence.kind) {
    case "stop":
    case "pause":
    case "inputs":
      return { refused: "SESSION_ENDED", message: `${ended}.` };
    case "reload":
    case "repin":
    case "manual":
    case "answered":
      return state.status === "goal_met"
        ? { refused: "SESSION_ENDED", message: `${ended}.` }
        : null;
    case "resume":
      if (state.status === "goal_met")
        return { refused: "SESSION_ENDED", message: `${ended}; a met goal is not reopened.` };
      return occurrence.reopen
        ? null
        : { refused: "SESSION_ENDED", message: `${ended}; it goes on only if it is reopened.` };
    default:
      return null;
  }
}
