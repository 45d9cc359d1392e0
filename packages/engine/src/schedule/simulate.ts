import type { Rules } from "@loopwright/protocol";
import {
  changeCounters,
  type Counters,
  countersOf,
  countFailure,
  countStart,
  countSuccess,
  freshCounters,
} from "../state/counters.ts";
import { failureCapStop, nextBench } from "../stop/failure-cap.ts";
import { schedule } from "./schedule.ts";

/** What a simulated session meets: which iterations fail, and when requests stand. */
export interface Scenario {
  readonly iterations: number;
  /** `run`: how often this workflow has started before. */
  readonly fails: (workflowId: string, run: number) => boolean;
  /** Digest of the request that stands for a workflow with `n` completed iterations; null for none. */
  readonly requests: (workflowId: string, n: number) => string | null;
}

export interface Simulation {
  /** Workflows in the order in which they ran. */
  readonly ran: readonly string[];
  /** `done`: all iterations ran. `dead_end`: nothing was eligible, nothing benched. `capped`: stop rule 4. */
  readonly end: "done" | "dead_end" | "capped";
  readonly counters: Counters;
}

/** The scheduler and the failure cap alone, without limits, gate and progress. */
export function simulate(rules: Rules, scenario: Scenario): Simulation {
  const ran: string[] = [];
  let counters = freshCounters(rules.workflows);
  for (let n = 0; n < scenario.iterations; n++) {
    const requests = standingRequests(rules, scenario, n);
    const choice = schedule(rules.workflows, counters, n, { now: "", holds: {}, requests });
    if (choice.kind !== "run") {
      const benched = Object.values(counters).some((own) => own.benched);
      return { ran, end: benched ? "capped" : "dead_end", counters };
    }
    const { id } = choice.workflow;
    const failed = scenario.fails(id, countersOf(counters, id).starts);
    counters = countStart(counters, id, n + 1);
    counters = failed
      ? countFailure(counters, id)
      : countSuccess(counters, rules.workflows, id, n + 1, requests[id] ?? null);
    ran.push(id);
    const capped = { rules, workflows: counters, limits: rules.limits };
    const bench = nextBench(capped);
    if (bench !== null) counters = changeCounters(counters, bench.workflow_id, { benched: true });
    else if (failureCapStop(capped) !== null) return { ran, end: "capped", counters };
  }
  return { ran, end: "done", counters };
}

function standingRequests(rules: Rules, scenario: Scenario, n: number): Record<string, string> {
  return Object.fromEntries(
    rules.workflows.flatMap(({ id, run_when_requested }) => {
      const digest = run_when_requested ? scenario.requests(id, n) : null;
      return digest === null ? [] : [[id, digest]];
    }),
  );
}
