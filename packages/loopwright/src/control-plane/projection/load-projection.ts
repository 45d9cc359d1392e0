import type { Projection } from "@loopwright/protocol";
import type { Processes } from "../../process/processes.ts";
import type { Clock } from "../../seams/clock.ts";
import { runtimeLayout } from "../../store/layout.ts";
import { buildProjection } from "./build-projection.ts";
import { gather } from "./gather.ts";
import { lookAround } from "./look-around.ts";
import { readProjection } from "./projection-file.ts";

export interface ReadingSeams {
  readonly clock: Pick<Clock, "wall">;
  readonly processes: Pick<Processes, "liveness">;
}

/**
 * One goal as files, git and processes are at this moment. What was written by its coordinator is used as far as the
 * sources are unchanged, and the rest is derived anew; phase and attention always are. Writes nothing, so that it works
 * where nothing may be written. Throws GOAL_ID_INVALID; what is wrong with a goal is told in `problems`.
 */
export function loadProjection(
  runtimeRoot: string,
  goalId: string,
  { clock, processes }: ReadingSeams,
): Projection {
  const goal = runtimeLayout(runtimeRoot).goal(goalId);
  const now = clock.wall();
  const known = readProjection(runtimeRoot, goalId);
  const gathered = gather(goal, { goalId, known, now });
  const world = lookAround(gathered, { runtimeRoot, goal, goalId, processes, now });
  return buildProjection(goalId, gathered, world);
}
