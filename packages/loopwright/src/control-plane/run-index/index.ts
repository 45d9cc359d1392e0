/** `runs.jsonl`: one row for each iteration, refresh and decision of a goal. */
export { completeRunIndex } from "./complete-run-index.ts";
export { type IndexedSession, iterationRows, type StateSeen } from "./iteration-row.ts";
export { readRunIndex, type RunIndex } from "./read-run-index.ts";
