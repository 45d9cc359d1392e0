import type { State } from "../state/state.ts";
import type { Stop } from "./decide-stop.ts";

/** Stop rule 7. */
export function noProgressStop(state: State): Stop | null {
  const limit = state.limits.no_progress_after;
  const { without } = state.progress;
  if (limit === null || without < limit) return null;
  return {
    stop_reason: "no_progress",
    detail: `${without} iterations in a row brought nothing new: no unseen tree, no further passing check.`,
  };
}
