import type { SchedulingRules } from "@loopwright/protocol";
import { isEvaluating } from "./roles.ts";

/**
 * Whether some order of successes leaves every workflow blocked by a rule that isn't about turns. Failures, requests
 * and held accounts can bring about any order, so every order counts. Explores what the rules remember, not
 * iterations; `null` where that is more than `LARGEST` situations.
 */
export function findDeadEnd(workflows: readonly SchedulingRules[]): readonly string[] | null {
  const enabled = workflows.filter((workflow) => workflow.enabled);
  if (enabled.some(isAlwaysFree)) return null;
  const start: Situation = {
    path: [],
    marks: enabled.map(() => ({ succeeded: false, due: false, count: 0 })),
  };
  const queue = [start];
  const known = new Set([keyOf(start)]);
  for (const situation of queue) {
    if (!enabled.some((workflow, at) => isFree(workflow, markAt(situation, at), false)))
      return situation.path;
    for (const [at, workflow] of enabled.entries()) {
      if (!isFree(workflow, markAt(situation, at), true)) continue;
      const after = succeed(enabled, situation, at);
      const key = keyOf(after);
      if (known.has(key)) continue;
      if (known.size >= LARGEST) return null;
      known.add(key);
      queue.push(after);
    }
  }
  return null;
}

const LARGEST = 20_000;

/** What rules 3 to 5 remember of one workflow. */
interface Mark {
  readonly succeeded: boolean;
  /** Its `must_follow` has succeeded since its own last success. */
  readonly due: boolean;
  /** Successes for `run_after_successes`, counted up to what it needs. */
  readonly count: number;
}

interface Situation {
  /** Workflows in the order in which they succeeded. */
  readonly path: readonly string[];
  readonly marks: readonly Mark[];
}

/** A benched workflow ends a session by another rule, so benching isn't looked at here. */
function isAlwaysFree(workflow: SchedulingRules): boolean {
  return (
    workflow.must_follow === undefined &&
    workflow.run_after_successes === undefined &&
    !isEvaluating(workflow)
  );
}

function isFree(workflow: SchedulingRules, mark: Mark, requested: boolean): boolean {
  if (workflow.run_on_start && !mark.succeeded) return true;
  if (workflow.run_when_requested && !requested) return false;
  if (workflow.must_follow !== undefined && !mark.due) return false;
  return mark.count >= (workflow.run_after_successes?.every ?? 0);
}

function succeed(enabled: readonly SchedulingRules[], situation: Situation, at: number): Situation {
  const id = enabled[at]?.id ?? "";
  const marks = enabled.map((workflow, index): Mark => {
    const mark = markAt(situation, index);
    if (index === at) return { succeeded: true, due: false, count: 0 };
    const after = workflow.run_after_successes;
    const count = after?.workflow === id ? Math.min(after.every, mark.count + 1) : mark.count;
    return { ...mark, due: mark.due || workflow.must_follow === id, count };
  });
  return { path: [...situation.path, id], marks };
}

function markAt(situation: Situation, index: number): Mark {
  return situation.marks[index] ?? { succeeded: false, due: false, count: 0 };
}

function keyOf({ marks }: Situation): string {
  return marks
    .map(({ succeeded, due, count }) => `${succeeded ? 1 : 0}${due ? 1 : 0}${count}`)
    .join(";");
}
