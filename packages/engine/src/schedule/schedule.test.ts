import { describe, expect, it } from "vitest";
import { changeCounters, countStart, countSuccess, freshCounters } from "../state/counters.ts";
import { factsOf, workflow } from "../testing/fixtures.ts";
import { schedule } from "./schedule.ts";

const later = "2026-01-01T01:00:00.000Z";
const latest = "2026-01-01T02:00:00.000Z";

describe("selection", () => {
  it("takes the smallest id where nothing else tells two apart", () => {
    const workflows = [workflow("b"), workflow("a"), workflow("C")];
    expect(schedule(workflows, freshCounters(workflows), 0, factsOf()).explanation.chosen).toBe(
      "C",
    );
  });

  it("chooses among the rest while an account is held", () => {
    const workflows = [workflow("a", { priority: 2 }), workflow("b")];
    const choice = schedule(
      workflows,
      freshCounters(workflows),
      0,
      factsOf({ holds: { a: later } }),
    );
    expect(choice.explanation.chosen).toBe("b");
    expect(choice.explanation.workflows[0]).toMatchObject({
      eligible: false,
      rules: [{ passed: true }, { rule: "not_held", passed: false }],
    });
  });

  it("waits for the earliest where all eligible ones are held, and lets no turn yield", () => {
    const workflows = [workflow("a"), workflow("b"), workflow("c", { not_before_iteration: 5 })];
    const choice = schedule(
      workflows,
      freshCounters(workflows),
      0,
      factsOf({ holds: { a: latest, b: later } }),
    );
    expect(choice).toMatchObject({ kind: "hold", until: later });
  });

  it("forgets a hold at its very moment", () => {
    const workflows = [workflow("a")];
    expect(
      schedule(workflows, freshCounters(workflows), 0, factsOf({ now: later, holds: { a: later } }))
        .kind,
    ).toBe("run");
  });

  it("names the blocking rule of each workflow where nothing may run", () => {
    const workflows = [
      workflow("a", { must_follow: "b" }),
      workflow("b", { run_when_requested: true }),
      workflow("c", { enabled: false }),
    ];
    const { kind, explanation } = schedule(workflows, freshCounters(workflows), 3, factsOf());
    expect(kind).toBe("none");
    expect(
      explanation.workflows.map(({ rules }) =>
        rules.filter((verdict) => !verdict.passed).map((verdict) => verdict.rule),
      ),
    ).toEqual([["must_follow"], ["run_when_requested"], ["enabled"]]);
  });

  it("doesn't take a request that a success has consumed for a new one", () => {
    const workflows = [workflow("a", { run_when_requested: true })];
    const counters = changeCounters(freshCounters(workflows), "a", { consumed_request: "old" });
    expect(schedule(workflows, counters, 3, factsOf({ requests: { a: "old" } })).kind).toBe("none");
    expect(schedule(workflows, counters, 3, factsOf({ requests: { a: "new" } })).kind).toBe("run");
  });

  it("counts successes of another workflow from the own last success on", () => {
    const workflows = [
      workflow("a", { priority: 1, run_after_successes: { workflow: "b", every: 2 } }),
      workflow("b"),
    ];
    let counters = freshCounters(workflows);
    const chosen: (string | null)[] = [];
    for (let n = 0; n < 7; n++) {
      const { explanation } = schedule(workflows, counters, n, factsOf());
      chosen.push(explanation.chosen);
      const id = explanation.chosen ?? "";
      counters = countSuccess(countStart(counters, id, n + 1), workflows, id, n + 1, null);
    }
    expect(chosen.join(" ")).toBe("b b a b b a b");
  });
});
