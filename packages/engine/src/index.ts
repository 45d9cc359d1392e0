export { type Counters, freshCounters } from "./state/counters.ts";
export { fold, foldLine } from "./state/fold.ts";
export {
  effectiveLimits,
  isLive,
  isTerminal,
  type Stamp,
  type State,
  stateFileOf,
} from "./state/state.ts";
export { schedule, type Schedule } from "./schedule/schedule.ts";
export type { SchedulingFacts } from "./schedule/eligibility.ts";
export { isEvaluating, isImplementing } from "./schedule/roles.ts";
export { isDrifted } from "./state/diagnoses.ts";
export type {
  Finished,
  Manual,
  Next,
  Noted,
  Occurrence,
  Plan,
  Raise,
} from "./transition/occurrence.ts";
export { react, step } from "./transition/react.ts";
export { refusal, type Refusal } from "./transition/refusal.ts";
export { waiting, type Waiting } from "./transition/waiting.ts";
export { verdict, wentGreen } from "./stop/verdict.ts";
export { type FoldedSession, foldSession } from "./verify/fold-session.ts";
export { occurrenceOf } from "./verify/occurrence-of.ts";
export { type Disagreement, type VerifiedLine, verifyLine } from "./verify/verify-line.ts";
export { preflightSchedule } from "./schedule/preflight.ts";
export type { ScheduleProblem } from "./schedule/schedule-problem.ts";
export { simulate, type Scenario, type Simulation } from "./schedule/simulate.ts";
export { checksAge, iterationOf } from "./explain/checks-age.ts";
export { decisionReason, explainDecision } from "./explain/explain-decision.ts";
export { explainStop } from "./explain/explain-stop.ts";
export { limitAhead } from "./explain/limit-ahead.ts";
export { type Divergence, whatIf } from "./explain/what-if.ts";
export {
  type ActionComparison,
  actionsAreAligned,
  compareActions,
} from "./drift/compare-actions.ts";
export {
  type NextActionFacts,
  nextActionProjectionWarning,
} from "./drift/next-action-projection-warning.ts";
export { type BranchFacts, branchSwitchedWarning } from "./drift/detect/branch-switched.ts";
export { checksTamperedWarning, type PinFacts } from "./drift/detect/checks-tampered.ts";
export { type PortFacts, portLeftOpenWarning } from "./drift/detect/port-left-open.ts";
export { proseWithoutTodoWarning, type TodoFacts } from "./drift/detect/prose-without-todo.ts";
export { type LatestRunFacts, staleLatestRunWarning } from "./drift/detect/stale-latest-run.ts";
export { type EditFacts, stateEditedByHandWarning } from "./drift/detect/state-edited-by-hand.ts";
export {
  type ProcessFacts,
  statusProcessMismatchWarning,
} from "./drift/detect/status-process-mismatch.ts";
