import type { SchedulingRules } from "@loopwright/protocol";
import { describe, expect, it } from "vitest";
import { innerOuterEval, rulesOf, workflow } from "../testing/fixtures.ts";
import { type Scenario, simulate } from "./simulate.ts";

const LETTERS: Record<string, string> = {
  outer: "O",
  inner: "I",
  eval_reviewer: "V",
  eval_runner: "R",
  planner: "P",
  dispatcher: "D",
};

/** The order of a scenario in the letters of the design, failed runs marked with x. */
function sequence(
  workflows: readonly SchedulingRules[],
  iterations: number,
  changes: Partial<Scenario> = {},
): string {
  const fails = changes.fails ?? (() => false);
  const runs: Record<string, number> = {};
  const { ran } = simulate(rulesOf(workflows), {
    iterations,
    fails,
    requests: () => null,
    ...changes,
  });
  return ran
    .map((id) => {
      const run = runs[id] ?? 0;
      runs[id] = run + 1;
      return `${LETTERS[id] ?? id}${fails(id, run) ? "x" : ""}`;
    })
    .join(" ");
}

const ring = [
  workflow("a", { must_follow: "c", run_on_start: true }),
  workflow("b", { must_follow: "a" }),
  workflow("c", { must_follow: "b" }),
];
const plannerDispatcher = [
  workflow("planner", { priority: 20, run_on_start: true, plans: true, may_complete: true }),
  workflow("dispatcher", { priority: 10, must_follow: "planner" }),
];

describe("pinned sequences of the scheduler", () => {
  it.each([
    ["one workflow repeats", [workflow("a")], "a a a"],
    [
      "a higher priority alternates with a lower one",
      [workflow("a", { priority: 5 }), workflow("b", { priority: 1 })],
      "a b a b",
    ],
    ["a planner and its dispatcher alternate", plannerDispatcher, "P D P D"],
    [
      "every third iteration at least",
      [workflow("a", { run_every: 3 }), workflow("b")],
      "a b b a b b",
    ],
    ["a ring of must_follow with one run_on_start goes round", ring, "a b c a b c"],
    ["inner_outer_eval without requests", innerOuterEval(), "V O I O I"],
  ])("%s", (_name, workflows, expected) => {
    expect(sequence(workflows, expected.split(" ").length)).toBe(expected);
  });

  it("an always failing inner is retried ever later, until the cap", () => {
    const fails: Scenario["fails"] = (id) => id === "inner";
    expect(sequence(innerOuterEval(), 200, { fails })).toBe("V O Ix O Ix O Ix O O Ix O O O Ix");
    expect(
      simulate(rulesOf(innerOuterEval()), { iterations: 200, fails, requests: () => null }).end,
    ).toBe("capped");
  });

  it("a reviewer that fails first is tried again after one other, and its success locks nobody out", () => {
    // Inner is due from outer's success at 2 on; the reviewer's success at 3 doesn't lock it again (rule 4).
    const fails: Scenario["fails"] = (id, run) => id === "eval_reviewer" && run === 0;
    expect(sequence(innerOuterEval(), 7, { fails })).toBe("Vx O V I O I O");
  });

  it("an always failing reviewer is tried at 1, 3, 6, 10 and 15, then benched, and outer and inner go on", () => {
    const fails: Scenario["fails"] = (id) => id === "eval_reviewer";
    const ran = sequence(innerOuterEval(), 40, { fails }).split(" ");
    expect(ran.flatMap((each, at) => (each === "Vx" ? [at + 1] : []))).toEqual([1, 3, 6, 10, 15]);
    expect(
      simulate(rulesOf(innerOuterEval()), { iterations: 40, fails, requests: () => null }).counters[
        "eval_reviewer"
      ]?.benched,
    ).toBe(true);
    expect(["O I O I", "I O I O"]).toContain(ran.slice(20, 24).join(" "));
  });

  it("outer requests an evaluation each fourth time, the reviewer requests the runner", () => {
    const expected = "V O I O I O I O V R I";
    const outers = (n: number): number =>
      expected
        .split(" ")
        .slice(0, n)
        .filter((id) => id === "O").length;
    const requests: Scenario["requests"] = (id, n) => {
      if (outers(n) < 4) return null;
      if (id === "eval_reviewer") return "fourth";
      return n >= 9 ? "evaluation" : null;
    };
    expect(sequence(innerOuterEval(), 11, { requests })).toBe(expected);
  });
});
