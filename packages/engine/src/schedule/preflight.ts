import type { Rules } from "@loopwright/protocol";
import { findDeadEnd } from "./dead-ends.ts";
import { referenceProblems } from "./references.ts";
import { isEvaluating, isImplementing } from "./roles.ts";
import type { ScheduleProblem } from "./schedule-problem.ts";
import { type Scenario, simulate, type Simulation } from "./simulate.ts";

const ITERATIONS = 200;
const REQUEST_EVERY = 10;

/**
 * All that can be said against a schedule before a session starts, at once. References are looked at first: a schedule
 * whose references are broken isn't simulated.
 */
export function preflightSchedule(rules: Rules): ScheduleProblem[] {
  const enabled = rules.workflows.filter((workflow) => workflow.enabled);
  if (enabled.length === 0)
    return [ofSet("error", "every workflow of the set is disabled", "enable at least one")];
  const references = referenceProblems(rules.workflows);
  if (references.some((problem) => problem.severity === "error")) return references;
  const succeeding = simulate(rules, scenario());
  const requested = simulate(rules, scenario({ requests: requestEvery(REQUEST_EVERY) }));
  return [
    ...references,
    ...deadEnds(rules, succeeding, requested),
    ...reach(rules, succeeding, requested),
  ];
}

function deadEnds(rules: Rules, succeeding: Simulation, requested: Simulation): ScheduleProblem[] {
  const hint = "let one of them run without waiting for another, or set run_on_start";
  const failing = rules.workflows.flatMap(({ id }) => [
    {
      when: `when ${id} fails once`,
      end: simulate(rules, scenario({ fails: (ran, run) => ran === id && run === 0 })),
    },
    {
      when: `when ${id} always fails`,
      end: simulate(rules, scenario({ fails: (ran) => ran === id })),
    },
  ]);
  const all = [
    { when: "when everything succeeds", end: succeeding },
    { when: "with requests", end: requested },
    ...failing,
  ];
  const found = all.find(({ end }) => end.end === "dead_end");
  if (found !== undefined) {
    const at = found.end.ran.length + 1;
    return [
      ofSet(
        "error",
        `the schedule comes to a dead end ${found.when}: nothing may run as iteration ${at}, after ${lastOf(found.end.ran)}`,
        hint,
      ),
    ];
  }
  const path = findDeadEnd(rules.workflows);
  if (path === null) return [];
  return [
    ofSet(
      "error",
      `the schedule comes to a dead end when the workflows succeed in the order ${lastOf(path)}`,
      hint,
    ),
  ];
}

function lastOf(ran: readonly string[]): string {
  return ran.length === 0 ? "nothing" : `${ran.length > 8 ? "... " : ""}${ran.slice(-8).join(" ")}`;
}

function reach(rules: Rules, ...runs: readonly Simulation[]): ScheduleProblem[] {
  const enabled = rules.workflows.filter((workflow) => workflow.enabled);
  const ran = new Set(runs.flatMap((run) => run.ran));
  const problems = enabled.flatMap(({ id }) =>
    ran.has(id)
      ? []
      : [
          {
            severity: "warning" as const,
            workflow_id: id,
            field: null,
            message: `${id} never runs within ${ITERATIONS} iterations`,
            hint: "raise its priority, or look at the workflows that it waits for",
          },
        ],
  );
  return [...problems, ...completion(enabled, ran), ...evaluation(enabled, runs)];
}

function completion(enabled: Rules["workflows"], ran: ReadonlySet<string>): ScheduleProblem[] {
  const able = enabled.filter((workflow) => workflow.may_complete);
  if (able.some((workflow) => ran.has(workflow.id))) return [];
  if (able.length === 0)
    return [
      ofSet(
        "error",
        "no workflow may claim that the goal is met",
        "set may_complete: true on the workflow that judges the whole goal",
      ),
    ];
  return [
    ofSet(
      "error",
      `no workflow that may complete is reached: ${able.map((workflow) => workflow.id).join(", ")}`,
      "raise its priority, or look at the workflows that it waits for",
    ),
  ];
}

/** In a set that evaluates, something must look at the work after the first implementing run. */
function evaluation(enabled: Rules["workflows"], runs: readonly Simulation[]): ScheduleProblem[] {
  const evaluating = new Set(enabled.filter(isEvaluating).map((workflow) => workflow.id));
  const implementing = new Set(enabled.filter(isImplementing).map((workflow) => workflow.id));
  if (evaluating.size === 0) return [];
  const met = runs.some(({ ran }) => {
    const first = ran.findIndex((id) => implementing.has(id));
    return first === -1 ? false : ran.slice(first + 1).some((id) => evaluating.has(id));
  });
  if (met || !runs.some(({ ran }) => ran.some((id) => implementing.has(id)))) return [];
  return [
    ofSet(
      "error",
      "nothing is evaluated after the first implementing run, even with requests",
      "raise the priority of an evaluating workflow, or look at what it waits for",
    ),
  ];
}

function scenario(changes: Partial<Scenario> = {}): Scenario {
  return { iterations: ITERATIONS, fails: () => false, requests: () => null, ...changes };
}

/** A request that stands from every n-th completed iteration on, until a success consumes it. */
function requestEvery(every: number): Scenario["requests"] {
  return (_id, n) => (n < every ? null : String(Math.floor(n / every)));
}

function ofSet(
  severity: ScheduleProblem["severity"],
  message: string,
  hint: string,
): ScheduleProblem {
  return { severity, workflow_id: null, field: null, message, hint };
}
