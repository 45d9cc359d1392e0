import { LoopwrightError, type StateFile } from "@loopwright/protocol";

/** Thrown for an `expected_seq` that isn't any more: carries how things stand now. */
export class StateMoved extends LoopwrightError {
  readonly state: StateFile;

  constructor(state: StateFile, expected: number) {
    super("STATE_MOVED", `The session went on: it is at ${state.seq}, not at ${expected}`, {
      hint: "Look at the session again, then repeat with the new number.",
    });
    this.state = state;
  }
}
