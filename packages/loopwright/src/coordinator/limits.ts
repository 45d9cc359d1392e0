import { effectiveLimits, type State } from "@loopwright/engine";
import type { RaisableLimit } from "@loopwright/protocol";

/** A limit as people raise it: by an addition, or to a value. */
export interface Raise {
  readonly limit: RaisableLimit;
  readonly add?: number | undefined;
  readonly to?: number | undefined;
}

/** The values that limits are raised to. Adding to no limit stays no limit, so nothing is raised there. */
export function raisedTo(
  state: State,
  raises: readonly Raise[],
): { limit: RaisableLimit; to: number }[] {
  const limits = effectiveLimits(state);
  return raises.flatMap(({ limit, add, to }) => {
    if (to !== undefined) return [{ limit, to }];
    const current = limits[limit];
    return current === null || add === undefined ? [] : [{ limit, to: current + add }];
  });
}
