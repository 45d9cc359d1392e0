/** `ACTIVE_STATE.md`: the one parser of it, and the one writer. */
export {
  createActiveState,
  fillObjective,
  readActiveState,
  replaceActiveState,
} from "./active-state-file.ts";
export { actionLine, withNextAction } from "./edit.ts";
export { OBJECTIVE_PENDING, objectiveOf } from "./objective.ts";
export {
  type ActiveState,
  digestOfText,
  nextActionOf,
  parseActiveState,
  type StateProblem,
} from "./parse-active-state.ts";
export { byPriority } from "./todos.ts";
