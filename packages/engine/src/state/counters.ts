import type { SchedulingRules, WorkflowCounters } from "@loopwright/protocol";

/** Counters of every workflow of a session, by id. */
export type Counters = Readonly<Record<string, WorkflowCounters>>;

export const FRESH_COUNTERS: WorkflowCounters = {
  starts: 0,
  last_start: null,
  successes: 0,
  last_success: null,
  failures_in_row: 0,
  crashes_in_row: 0,
  benched: false,
  consumed_request: null,
  followed_successes: 0,
  follow_due: false,
  dearest: { tokens: 0, cost_usd: 0, live_ms: 0 },
};

export function freshCounters(workflows: readonly SchedulingRules[]): Counters {
  return Object.fromEntries(workflows.map((workflow) => [workflow.id, FRESH_COUNTERS]));
}

export function countersOf(counters: Counters, id: string): WorkflowCounters {
  return counters[id] ?? FRESH_COUNTERS;
}

export function changeCounters(
  counters: Counters,
  id: string,
  change: Partial<WorkflowCounters>,
): Counters {
  return { ...counters, [id]: { ...countersOf(counters, id), ...change } };
}

export function countStart(counters: Counters, id: string, iteration: number): Counters {
  return changeCounters(counters, id, {
    starts: countersOf(counters, id).starts + 1,
    last_start: iteration,
  });
}

/** A success settles what this workflow waited for, and makes due what waits for it. */
export function countSuccess(
  counters: Counters,
  workflows: readonly SchedulingRules[],
  id: string,
  iteration: number,
  request: string | null,
): Counters {
  const own = countersOf(counters, id);
  const changed: Record<string, WorkflowCounters> = { ...counters };
  for (const other of workflows) {
    const theirs = countersOf(counters, other.id);
    const follows = other.must_follow === id;
    const counts = other.run_after_successes?.workflow === id;
    if (!follows && !counts) continue;
    changed[other.id] = {
      ...theirs,
      follow_due: theirs.follow_due || follows,
      followed_successes: theirs.followed_successes + (counts ? 1 : 0),
    };
  }
  changed[id] = {
    ...own,
    successes: own.successes + 1,
    last_success: iteration,
    failures_in_row: 0,
    crashes_in_row: 0,
    consumed_request: request ?? own.consumed_request,
    followed_successes: 0,
    follow_due: false,
  };
  return changed;
}

/** A failure that the cap counts. It settles nothing: what was due stays due. */
export function countFailure(counters: Counters, id: string): Counters {
  return changeCounters(counters, id, {
    failures_in_row: countersOf(counters, id).failures_in_row + 1,
  });
}

/** After `session_reopened`: what the failure cap counts starts anew, benches are lifted; totals and history stay. */
export function forgiveFailures(counters: Counters): Counters {
  return mapCounters(counters, (own) => ({
    ...own,
    failures_in_row: 0,
    crashes_in_row: 0,
    benched: false,
  }));
}

export function mapCounters(
  counters: Counters,
  change: (own: WorkflowCounters, id: string) => WorkflowCounters,
): Counters {
  return Object.fromEntries(Object.entries(counters).map(([id, own]) => [id, change(own, id)]));
}
