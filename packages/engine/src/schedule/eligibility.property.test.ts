import type { Rules, SchedulingRules } from "@loopwright/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomRules } from "../testing/random-rules.ts";
import { seededDice } from "../testing/seeded-dice.ts";
import { preflightSchedule } from "./preflight.ts";
import { type Scenario, simulate } from "./simulate.ts";

interface Past {
  readonly id: string;
  readonly succeeded: boolean;
  readonly request: string | null;
}

/** The rules of the design once more, slowly, over the whole past. */
function blocked(
  workflow: SchedulingRules,
  past: readonly Past[],
  requests: Readonly<Record<string, string>>,
  cap: number,
): { hard: string[]; turns: string[]; due: number } {
  const own = past.flatMap((run, at) =>
    run.id === workflow.id ? [{ ...run, iteration: at + 1 }] : [],
  );
  const lastSuccess = own.findLast((run) => run.succeeded)?.iteration ?? 0;
  const successesOf = (id: string): number =>
    past.filter(
      (run, at) => run.id === id && run.succeeded && at + 1 > lastSuccess && id !== workflow.id,
    ).length;
  const failuresInRow = own.length - 1 - own.findLastIndex((run) => run.succeeded);
  const consumed = own.findLast((run) => run.succeeded && run.request !== null)?.request ?? null;
  const hard: string[] = [];
  if (!workflow.enabled) hard.push("enabled");
  if ((workflow.emits_goal_check || workflow.run_when_requested) && failuresInRow >= cap)
    hard.push("benched");
  if (!(workflow.run_on_start && lastSuccess === 0)) {
    const request = requests[workflow.id];
    if (workflow.run_when_requested && (request === undefined || request === consumed))
      hard.push("request");
    if (workflow.must_follow !== undefined && successesOf(workflow.must_follow) === 0)
      hard.push("must_follow");
    if (
      workflow.run_after_successes !== undefined &&
      successesOf(workflow.run_after_successes.workflow) < workflow.run_after_successes.every
    )
      hard.push("after");
  }
  const lastStart = own.at(-1)?.iteration;
  const turn =
    lastStart === undefined ? 0 : lastStart + Math.max(workflow.run_every, failuresInRow);
  const due = Math.max(turn, workflow.not_before_iteration);
  return { hard, turns: past.length >= due ? [] : ["turns"], due };
}

function replay(rules: Rules, scenario: Scenario, ran: readonly string[]): void {
  const past: Past[] = [];
  for (const [n, id] of ran.entries()) {
    const requests = Object.fromEntries(
      rules.workflows.flatMap((each) => {
        const digest = each.run_when_requested ? scenario.requests(each.id, n) : null;
        return digest === null ? [] : [[each.id, digest]];
      }),
    );
    const all = rules.workflows.map((workflow) => ({
      workflow,
      ...blocked(workflow, past, requests, rules.limits.workflow_failure_cap),
    }));
    const chosen = all.find((each) => each.workflow.id === id);
    if (chosen === undefined) throw new Error(`${id} isn't in the set`);
    expect(chosen.hard).toEqual([]);
    const eligible = all.filter((each) => each.hard.length === 0 && each.turns.length === 0);
    if (chosen.turns.length === 0) {
      for (const other of eligible)
        expect(other.workflow.priority).toBeLessThanOrEqual(chosen.workflow.priority);
    } else {
      expect(eligible.map((each) => each.workflow.id)).toEqual([]);
      for (const other of all)
        if (other.hard.length === 0) expect(other.due).toBeGreaterThanOrEqual(chosen.due);
    }
    const run = past.filter((each) => each.id === id).length;
    past.push({ id, succeeded: !scenario.fails(id, run), request: requests[id] ?? null });
  }
}

/** Whatever fails, and whatever is requested. */
function anything(seed: number, iterations: number): Scenario {
  const dice = seededDice(seed);
  const grumpy = dice(100);
  return {
    iterations,
    fails: (id, run) => seededDice(seed ^ Math.imul(run + 1, 31 + id.charCodeAt(0)))(100) < grumpy,
    requests: (id, n) =>
      seededDice(seed + id.charCodeAt(0))(3) === 0 ? null : String(Math.floor(n / 7)),
  };
}

const seeds = fc.integer({ min: 0, max: 0x7fffffff });

describe("any schedule", () => {
  it("starts only what the eligibility rules allow, or the first to come due", () => {
    fc.assert(
      fc.property(seeds, seeds, (seed, luck) => {
        const rules = randomRules(seededDice(seed));
        const scenario = anything(luck, 60);
        replay(rules, scenario, simulate(rules, scenario).ran);
      }),
      { numRuns: 400 },
    );
  });

  it("that preflight accepts comes to no dead end within 1,000 iterations, whatever fails, unless something was benched", () => {
    let accepted = 0;
    fc.assert(
      fc.property(seeds, seeds, (seed, luck) => {
        const rules = randomRules(seededDice(seed));
        if (preflightSchedule(rules).some((problem) => problem.severity === "error")) return;
        accepted++;
        expect(simulate(rules, anything(luck, 1000)).end).not.toBe("dead_end");
        const neverRequested = { ...anything(luck, 1000), requests: () => null };
        expect(
          simulate(
            { ...rules, limits: { ...rules.limits, workflow_failure_cap: 1000 } },
            neverRequested,
          ).end,
        ).not.toBe("dead_end");
      }),
      { numRuns: 300 },
    );
    expect(accepted).toBeGreaterThan(20);
  }, 120_000);
});
