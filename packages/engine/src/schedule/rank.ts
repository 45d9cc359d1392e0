import type { Eligibility } from "./eligibility.ts";

/** Highest priority, then the longest since its last start (never started first), then the smallest id. */
export function byRank(a: Eligibility, b: Eligibility): number {
  return (
    b.workflow.priority - a.workflow.priority ||
    (a.lastStart ?? 0) - (b.lastStart ?? 0) ||
    compareIds(a.workflow.id, b.workflow.id)
  );
}

/** The one that comes due first, then as above. */
export function byDue(a: Eligibility, b: Eligibility): number {
  return a.dueAt - b.dueAt || byRank(a, b);
}

/** By code units: the same order on every machine, whatever its locale. */
export function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
