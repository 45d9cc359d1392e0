import { type State, stateFileOf } from "@loopwright/engine";
import type { Disk } from "../store/disk.ts";
import { writeDurable } from "../store/durable-write.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import type { ControlSwitch } from "./control-file.ts";

/** `state.json` and `control.json`, for readers. Never read back, so not synced; several commits share one write. */
export interface Projections {
  /** To be called after each commit; writes when the answer is out. */
  touch(): void;
  /** Writes now. A failure is left to the next time: the journal has everything. */
  flush(): void;
  close(): void;
}

export function createProjections(
  disk: Disk,
  layout: SessionLayout,
  from: {
    readonly state: () => State;
    readonly control: ControlSwitch;
    readonly lost: () => boolean;
  },
): Projections {
  let due: NodeJS.Immediate | undefined;

  const flush = (): void => {
    if (due !== undefined) clearImmediate(due);
    due = undefined;
    if (from.lost()) return;
    const state = from.state();
    try {
      writeDurable(disk, layout.state, `${JSON.stringify(stateFileOf(state))}\n`, {
        durable: false,
      });
      from.control.rewrite(state);
    } catch {
      // A full disk, mostly: told where commits are made.
    }
  };

  return {
    touch() {
      due ??= setImmediate(flush);
    },
    flush,
    close() {
      if (due !== undefined) clearImmediate(due);
      due = undefined;
    },
  };
}
