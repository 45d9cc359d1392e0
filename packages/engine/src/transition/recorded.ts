import type { Pause } from "../stop/pause-after.ts";

/** What recording an occurrence leaves for the rest of its line. `null`: it named another task, nothing was recorded. */
export type Recorded = {
  readonly pause: Pause | null;
  /** False: the next task has to wait a while although nothing is paused. */
  readonly launch: boolean;
} | null;

export const GO_ON: Recorded = { pause: null, launch: true };
