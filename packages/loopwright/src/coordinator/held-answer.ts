import type { Connection } from "./connection.ts";

/** The seat's open request, held without a time-out until there is something to run. At most one. */
export interface HeldAnswer {
  /** A newer connection replaces the older one, which is dropped. */
  hold(connection: Connection): void;
  /** The one that an answer would reach now. */
  current(): Connection | undefined;
  /** Takes it out, to be answered. */
  take(): Connection | undefined;
}

export function createHeldAnswer(): HeldAnswer {
  let held: Connection | undefined;
  const current = (): Connection | undefined => {
    if (held?.open() === false) held = undefined;
    return held;
  };
  return {
    hold(connection) {
      if (held !== connection) held?.drop();
      held = connection;
    },
    current,
    take() {
      const taken = current();
      held = undefined;
      return taken;
    },
  };
}
