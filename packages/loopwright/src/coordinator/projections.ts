import { type State, stateFileOf } from "@loopwright/engine";
import { LoopwrightError } from "@loopwright/protocol";
import { writeDurable } from "../store/durable-write.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import type { ControlSwitch } from "./control-file.ts";
import type { Seams } from "./seams.ts";

/** `state.json`, `control.json` and the goal's projection, for readers. Never read back, so not synced; several commits share one write. */
export interface Projections {
  /** To be called after each commit; writes when the answer is out. */
  touch(): void;
  /** Writes now. A failure is left to the next time: the journal has everything. */
  flush(): void;
  close(): void;
}

/**
 * Between two writes, in monotonic ms. Replacing a file makes some file systems write the new one out at once (ext4:
 * measured 6 ms on a busy disk), which no iteration should pay for.
 */
const PAUSE_MS = 200;

export function createProjections(
  { disk, clock }: Pick<Seams, "disk" | "clock">,
  layout: SessionLayout,
  from: {
    readonly state: () => State;
    readonly control: ControlSwitch;
    readonly lost: () => boolean;
    /** Replaces the goal's projection. */
    readonly publish: () => void;
    readonly onProblem: (error: unknown) => void;
  },
): Projections {
  let due: AbortController | undefined;
  let last = -Infinity;

  const flush = (): void => {
    due?.abort();
    due = undefined;
    last = clock.monotonic();
    if (from.lost()) return;
    const state = from.state();
    try {
      writeDurable(disk, layout.state, `${JSON.stringify(stateFileOf(state))}\n`, {
        durable: false,
      });
      from.control.rewrite(state);
      from.publish();
    } catch (error) {
      // A full disk and the like are told where commits are made.
      if (!(error instanceof LoopwrightError)) from.onProblem(error);
    }
  };

  return {
    touch() {
      if (due !== undefined) return;
      const { signal } = (due = new AbortController());
      const wait = Math.max(0, last + PAUSE_MS - clock.monotonic());
      void clock.sleep(wait, signal).then(() => {
        if (!signal.aborted) flush();
      });
    },
    flush,
    close() {
      due?.abort();
      due = undefined;
    },
  };
}
