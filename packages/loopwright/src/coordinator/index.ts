export {
  type Coordinator,
  type CoordinatorOptions,
  type Ended,
  startCoordinator,
} from "./coordinator.ts";
export { commitOffline, type OfflineOptions } from "./offline.ts";
export type { Raise } from "./limits.ts";
export type { Opening, Reopening } from "./open-session.ts";
export type { Seams } from "./seams.ts";
export type { SessionPlan } from "./session-plan.ts";
