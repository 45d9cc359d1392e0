/** `runs.jsonl`: one row for each iteration, refresh and decision of a goal. */
export { completeRunIndex } from "./complete-run-index.ts";
export { type IndexedSession, iterationRows } from "./iteration-row.ts";
export { readRunIndex } from "./read-run-index.ts";
