import type { SchedulingRules } from "@loopwright/protocol";
import { describe, expect, it } from "vitest";
import { innerOuterEval, rulesOf, workflow } from "../testing/fixtures.ts";
import { preflightSchedule } from "./preflight.ts";

const messages = (workflows: readonly SchedulingRules[], severity = "error"): string[] =>
  preflightSchedule(rulesOf(workflows)).flatMap((problem) =>
    problem.severity === severity ? [problem.message] : [],
  );

const done = { may_complete: true };

describe("preflight of a schedule", () => {
  it("has nothing to say about the sets that init copies", () => {
    expect(preflightSchedule(rulesOf(innerOuterEval()))).toEqual([]);
    expect(preflightSchedule(rulesOf([workflow("single", { plans: true, ...done })]))).toEqual([]);
  });

  it("names what is missing, disabled or itself, all at once", () => {
    const workflows = [
      workflow("a", { must_follow: "nobody", ...done }),
      workflow("b", { must_follow: "off" }),
      workflow("c", { run_after_successes: { workflow: "c", every: 2 } }),
      workflow("off", { enabled: false }),
    ];
    expect(messages(workflows)).toEqual([
      "must_follow of a names nobody, which is not in the set",
      "must_follow of b names off, which is disabled",
      "run_after_successes of c names c itself",
    ]);
  });

  it("refuses a circle that nobody starts, and takes one that somebody starts", () => {
    const circle = (run_on_start: boolean) => [
      workflow("a", { must_follow: "b", run_on_start, ...done }),
      workflow("b", { must_follow: "a" }),
    ];
    expect(messages(circle(false))).toEqual([
      "a waits for b waits for a, and none of them has run_on_start, so none ever runs",
    ]);
    expect(messages(circle(true))).toEqual([]);
  });

  it("finds the dead end of a circle that uses itself up", () => {
    const workflows = [
      workflow("a", {
        run_after_successes: { workflow: "b", every: 2 },
        run_on_start: true,
        ...done,
      }),
      workflow("b", { must_follow: "a" }),
    ];
    expect(messages(workflows)).toEqual([
      expect.stringContaining("dead end when everything succeeds: nothing may run as iteration 3"),
    ]);
  });

  it("finds a dead end that only another order of successes comes to", () => {
    const workflows = [
      workflow("a", {
        priority: 9,
        run_on_start: true,
        run_after_successes: { workflow: "b", every: 1 },
        ...done,
      }),
      workflow("b", { run_on_start: true, must_follow: "a" }),
    ];
    expect(messages(workflows)).toEqual([]);
    const fragile = [
      workflow("a", {
        priority: 9,
        run_on_start: true,
        run_after_successes: { workflow: "c", every: 1 },
        ...done,
      }),
      workflow("b", {
        priority: 8,
        run_on_start: true,
        run_after_successes: { workflow: "a", every: 1 },
      }),
      workflow("c", { run_after_successes: { workflow: "a", every: 1 }, must_follow: "b" }),
    ];
    expect(messages(fragile).every((message) => message.includes("dead end"))).toBe(true);
  });

  it("wants somebody who may complete, and wants it reached", () => {
    expect(messages([workflow("a")])).toEqual(["no workflow may claim that the goal is met"]);
    const starved = [
      workflow("a", { priority: 9 }),
      workflow("b", { priority: 5 }),
      workflow("z", done),
    ];
    expect(messages(starved)).toEqual(["no workflow that may complete is reached: z"]);
    expect(messages(starved, "warning")).toEqual(["z never runs within 200 iterations"]);
  });

  it("wants an evaluation after the first implementing run in a set that evaluates", () => {
    const never = [
      workflow("work", { priority: 9, ...done }),
      workflow("more", { priority: 8 }),
      workflow("look", { emits_goal_check: true }),
    ];
    expect(messages(never)).toEqual([
      "nothing is evaluated after the first implementing run, even with requests",
    ]);
  });

  it("says so when everything is disabled", () => {
    expect(messages([workflow("a", { enabled: false })])).toEqual([
      "every workflow of the set is disabled",
    ]);
  });
});
