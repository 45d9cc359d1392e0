import { join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { iterationLayout, type IterationLayout } from "../store/iteration-layout.ts";
import type { OpenedSession } from "./open-session.ts";

/** Where an iteration's files lie, as the journal says. Throws ITERATION_NOT_FOUND. */
export function findIteration(
  { lines, layout, id, state }: OpenedSession,
  iteration: number,
): IterationLayout {
  for (const { records } of lines.toReversed()) {
    for (const { type, data } of records) {
      if (type !== "task_assigned" || data.iteration !== iteration) continue;
      return iterationLayout(join(layout.directory, data.directory));
    }
  }
  throw new LoopwrightError("ITERATION_NOT_FOUND", `Session ${id} has no iteration ${iteration}`, {
    hint:
      state.iterations === 0
        ? "It has none yet."
        : `It has 1 to ${state.iterations + (state.task?.kind === "workflow" ? 1 : 0)}.`,
  });
}
