/** Acceptance checks: how they are read, pinned, protected and run. */
export { type LoadedChecks, loadChecks } from "./check-file.ts";
export { createPinStore, type PinStore } from "./pin-store.ts";
export { pinChecksAndProtected, type PinRequest } from "./pins.ts";
export { createProtection, globProblem, type Protection } from "./protected-globs.ts";
export { readTail } from "./read-tail.ts";
export { restoreProtected, type RestoreRequest } from "./restore.ts";
export {
  outcomeOf,
  runVerification,
  type VerificationEnd,
  type VerificationRequest,
  type VerificationSeams,
} from "./run-verification.ts";
