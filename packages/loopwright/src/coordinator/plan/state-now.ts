import { LoopwrightError } from "@loopwright/protocol";
import {
  type ActiveState,
  parseActiveState,
  readActiveState,
} from "../../control-plane/active-state/index.ts";

/** `ACTIVE_STATE.md` as it stands. */
export interface StateNow extends ActiveState {
  readonly text: string;
}

/** Undefined: there is none, or none that may be read. */
export function lookAtState(path: string): StateNow | undefined {
  try {
    const text = readActiveState(path);
    return text === undefined ? undefined : { ...parseActiveState(text), text };
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    return undefined;
  }
}
