import type { SchedulingRules } from "@loopwright/protocol";
import type { ScheduleProblem } from "./schedule-problem.ts";

/** Whom workflows wait for: each exists, is enabled, isn't itself, and no circle waits without a member that starts it. */
export function referenceProblems(workflows: readonly SchedulingRules[]): ScheduleProblem[] {
  const byId = new Map(workflows.map((workflow) => [workflow.id, workflow]));
  const enabled = workflows.filter((workflow) => workflow.enabled);
  return [
    ...enabled.flatMap((workflow) =>
      references(workflow).flatMap((reference) => problemOf(workflow, reference, byId)),
    ),
    ...circleProblems(enabled, byId),
  ];
}

interface Reference {
  readonly field: "must_follow" | "run_after_successes";
  readonly target: string;
}

function references(workflow: SchedulingRules): Reference[] {
  const found: Reference[] = [];
  if (workflow.must_follow !== undefined)
    found.push({ field: "must_follow", target: workflow.must_follow });
  if (workflow.run_after_successes !== undefined)
    found.push({ field: "run_after_successes", target: workflow.run_after_successes.workflow });
  return found;
}

function problemOf(
  workflow: SchedulingRules,
  { field, target }: Reference,
  byId: ReadonlyMap<string, SchedulingRules>,
): ScheduleProblem[] {
  const problem = { severity: "error" as const, workflow_id: workflow.id, field };
  const found = byId.get(target);
  if (found === undefined) {
    const hint = `the set has: ${[...byId.keys()].toSorted().join(", ")}`;
    return [
      {
        ...problem,
        message: `${field} of ${workflow.id} names ${target}, which is not in the set`,
        hint,
      },
    ];
  }
  if (!found.enabled) {
    return [
      {
        ...problem,
        message: `${field} of ${workflow.id} names ${target}, which is disabled`,
        hint: `enable ${target}, or remove ${field}`,
      },
    ];
  }
  if (target === workflow.id && field === "run_after_successes") {
    return [
      {
        ...problem,
        message: `run_after_successes of ${workflow.id} names ${workflow.id} itself`,
        hint: "use run_every to space its runs",
      },
    ];
  }
  return [];
}

function circleProblems(
  enabled: readonly SchedulingRules[],
  byId: ReadonlyMap<string, SchedulingRules>,
): ScheduleProblem[] {
  const reported = new Set<string>();
  return enabled.flatMap((workflow) => {
    const circle = circleThrough(workflow, byId);
    const key = [...circle].toSorted().join(" ");
    if (circle.length === 0 || reported.has(key) || circle.some((id) => byId.get(id)?.run_on_start))
      return [];
    reported.add(key);
    const names = [...circle, workflow.id].join(" waits for ");
    const message = `${names}, and none of them has run_on_start, so none ever runs`;
    return [
      {
        severity: "error" as const,
        workflow_id: workflow.id,
        field: "must_follow",
        message,
        hint: "set run_on_start: true on one of them",
      },
    ];
  });
}

/** The shortest way from a workflow over those it waits for back to itself; empty if there is none. */
function circleThrough(
  start: SchedulingRules,
  byId: ReadonlyMap<string, SchedulingRules>,
): string[] {
  const queue: string[][] = [[start.id]];
  const known = new Set<string>();
  for (const path of queue) {
    const last = byId.get(path.at(-1) ?? "");
    for (const { field, target } of last === undefined ? [] : references(last)) {
      const isOwnField = field === "run_after_successes" && target === last?.id;
      if (isOwnField) continue;
      if (target === start.id) return path;
      if (known.has(target) || byId.get(target)?.enabled !== true) continue;
      known.add(target);
      queue.push([...path, target]);
    }
  }
  return [];
}
