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
export type { Finished, Manual, Next, Noted, Occurrence, Raise } from "./transition/occurrence.ts";
export { react, step } from "./transition/react.ts";
export { refusal, type Refusal } from "./transition/refusal.ts";
export { waiting, type Waiting } from "./transition/waiting.ts";
export { verdict, wentGreen } from "./stop/verdict.ts";
export { occurrenceOf } from "./verify/occurrence-of.ts";
export { type Disagreement, type VerifiedLine, verifyLine } from "./verify/verify-line.ts";
export { preflightSchedule } from "./schedule/preflight.ts";
export type { ScheduleProblem } from "./schedule/schedule-problem.ts";
export { simulate, type Scenario, type Simulation } from "./schedule/simulate.ts";
export { explainDecision } from "./explain/explain-decision.ts";
export { explainStop } from "./explain/explain-stop.ts";
export { type Divergence, whatIf } from "./explain/what-if.ts";
