import type { Rules } from "@loopwright/protocol";
import { describe, expect, it } from "vitest";
import {
  changesAt,
  digestOf,
  finishedOf,
  innerOuterEval,
  receiptOf,
  rulesOf,
  started,
  treeOf,
  workflow,
} from "../testing/fixtures.ts";
import { Play } from "../testing/play.ts";
import type { Finished } from "../transition/occurrence.ts";

const only = [workflow("only", { may_complete: true })];

function running(rules: Rules): Play {
  const session = new Play({ kind: "started", started: started(rules) });
  session.feed({ kind: "next", next: session.next() });
  return session;
}

/** Ends iterations alike until the session stops; how many there were. */
function untilStop(session: Play, result: (iteration: number) => Partial<Finished>): number {
  while (session.current.status === "running") {
    const { task } = session;
    if (task.kind !== "workflow") throw new Error("a verification is live");
    if (task.iteration > 100) throw new Error("it never stops");
    session.feed({
      kind: "finished",
      finished: finishedOf(task, result(task.iteration)),
      next: session.next(),
    });
  }
  return session.current.iterations;
}

const usage = (input_tokens: number) => ({
  input_tokens,
  cached_input_tokens: null,
  output_tokens: 0,
  reasoning_tokens: null,
  model: null,
  basis: "invocation" as const,
});

describe("limits", () => {
  it("allow five iterations of a dollar under five dollars, and refuse the sixth before its launch", () => {
    const session = running(rulesOf(only, { limits: { max_cost_usd: 5 } }));
    expect(untilStop(session, () => ({ cost_usd: 1 }))).toBe(5);
    expect(session.current).toMatchObject({
      status: "stopped",
      stop_reason: "max_cost_usd",
      spent: { cost_usd: 5 },
    });
  });

  it("refuse what the dearest iteration so far wouldn't fit into", () => {
    const session = running(rulesOf(only, { limits: { max_tokens: 100 } }));
    expect(untilStop(session, (iteration) => ({ usage: usage(iteration === 1 ? 40 : 10) }))).toBe(
      4,
    );
    expect(session.lines.at(-1)?.records.at(-2)).toMatchObject({
      type: "limit_reached",
      data: { limit: "max_tokens", spent: 70, needed: 40, value: 100, workflow_id: "only" },
    });
  });

  it("count iterations, abandoned ones too, and time with a task live", () => {
    expect(untilStop(running(rulesOf(only, { limits: { max_iterations: 3 } })), () => ({}))).toBe(
      3,
    );
    const session = running(rulesOf(only, { limits: { max_wall_clock_ms: 3500 } }));
    expect(untilStop(session, () => ({ live_ms: 1000 }))).toBe(3);
    expect(session.current.stop_reason).toBe("max_wall_clock");
  });

  it("count what other sessions of the goal have spent", () => {
    const session = new Play({
      kind: "started",
      started: started(rulesOf(only, { limits: { max_cost_usd: 5 } })),
    });
    session.feed({
      kind: "next",
      next: session.next({ spent_elsewhere: { tokens: 0, cost_usd: 5 } }),
    });
    expect(session.current.stop_reason).toBe("max_cost_usd");
  });

  it("stop at an unknown cost where that is asked for, and go on once a person has accepted it", () => {
    const rules = rulesOf(only, { unknown_cost: "stop", limits: { max_cost_usd: 5 } });
    const session = running(rules);
    expect(untilStop(session, () => ({ cost_usd: null }))).toBe(1);
    expect(session.current.stop_detail).toContain("unknown isn't zero");
    session.feed({ kind: "resume", by: "user", raise: [], reopen: true });
    session.feed({ kind: "next", next: session.next() });
    expect(untilStop(session, () => ({ cost_usd: null }))).toBe(2);
    const counting = running(rulesOf(only, { limits: { max_cost_usd: 5, max_iterations: 4 } }));
    expect(untilStop(counting, () => ({ cost_usd: null }))).toBe(4);
    expect(counting.current).toMatchObject({
      stop_reason: "max_iterations",
      spent: { unknown_cost: 4 },
    });
  });
});

describe("the failure cap", () => {
  it.each([["failed"], ["timed_out"], ["silent"], ["no_result"]] as const)(
    "counts %s",
    (outcome) => {
      const session = running(rulesOf(only));
      expect(untilStop(session, () => ({ outcome }))).toBe(5);
      expect(session.current).toMatchObject({
        status: "failed",
        stop_reason: "workflow_failure_cap",
      });
    },
  );

  it.each([
    ["cancelled", undefined],
    ["bootstrap_failed", undefined],
    ["policy", undefined],
    ["failed", "transient"],
    ["failed", "rate_limited"],
    ["timed_out", "transient"],
  ] as const)("doesn't count %s (%s)", (outcome, cause) => {
    const session = running(rulesOf(only, { limits: { max_iterations: 20 } }));
    expect(untilStop(session, () => ({ outcome, ...(cause === undefined ? {} : { cause }) }))).toBe(
      20,
    );
    expect(session.current.workflows["only"]?.failures_in_row).toBe(0);
  });

  it("counts an overflow of the context, and starts anew after a success", () => {
    const session = running(rulesOf(only, { limits: { max_iterations: 30 } }));
    untilStop(session, (iteration) =>
      iteration % 5 === 0 ? {} : { outcome: "failed", cause: "context_overflow" },
    );
    expect(session.current.stop_reason).toBe("max_iterations");
  });

  it("benches what only advises, and stops when nothing is left after a bench", () => {
    const fails = { outcome: "failed" as const };
    const set = running(rulesOf(innerOuterEval(), { limits: { max_iterations: 30 } }));
    untilStop(set, () =>
      set.task.kind === "workflow" && set.task.workflow_id === "eval_reviewer" ? fails : {},
    );
    expect(set.current).toMatchObject({
      stop_reason: "max_iterations",
      workflows: { eval_reviewer: { benched: true } },
    });
    const workflows = [
      workflow("look", { emits_goal_check: true }),
      workflow("after", { must_follow: "look", may_complete: true }),
    ];
    const session = running(rulesOf(workflows));
    untilStop(session, () => fails);
    expect(session.current).toMatchObject({
      stop_reason: "workflow_failure_cap",
      workflows: { look: { benched: true } },
    });
  });
});

describe("no progress", () => {
  const limits = { no_progress_after: 4 };
  const at = (tree: number) => ({ changes: changesAt(treeOf(tree)) });

  it("stops what makes an edit and undoes it in turn", () => {
    const session = running(rulesOf(only, { limits }));
    expect(untilStop(session, (iteration) => at(iteration % 2))).toBe(5);
    expect(session.current.stop_reason).toBe("no_progress");
  });

  it("is told to the agent at half of it", () => {
    const session = running(rulesOf(only, { limits }));
    const { task } = session;
    if (task.kind !== "workflow") return;
    session.feed({ kind: "finished", finished: finishedOf(task, at(0)), next: session.next() });
    expect(session.current.diagnosis).toEqual([]);
    const second = session.task;
    if (second.kind === "workflow")
      session.feed({ kind: "finished", finished: finishedOf(second, at(0)), next: session.next() });
    expect(session.current.diagnosis).toMatchObject([{ kind: "no_progress" }]);
    const third = session.task;
    if (third.kind === "workflow")
      session.feed({ kind: "finished", finished: finishedOf(third, at(9)), next: session.next() });
    expect(session.current).toMatchObject({ diagnosis: [], progress: { without: 0 } });
  });

  it("doesn't count evaluating, abandoned and rate-limited iterations", () => {
    const judge = [workflow("judge", { emits_goal_check: true, may_complete: true })];
    const value = { schema_version: 1 as const, goal_met: false, reason: "not yet", evidence: [] };
    const session = running(rulesOf(judge, { limits: { ...limits, max_iterations: 12 } }));
    expect(untilStop(session, () => ({ ...at(0), goal_check: { state: "valid", value } }))).toBe(
      12,
    );
    const limited = running(rulesOf(only, { limits: { ...limits, max_iterations: 12 } }));
    expect(untilStop(limited, () => ({ ...at(0), outcome: "failed", cause: "rate_limited" }))).toBe(
      12,
    );
  });

  it("ends with a rise in passing checks on a tree that was seen", () => {
    const checks = [{ id: "test", sha256: digestOf(1), required: true }];
    const session = running(rulesOf(only, { limits, gate: { checks } }));
    const { attempt_id } = session.task;
    session.feed({
      kind: "verified",
      verified: {
        kind: "baseline",
        attempt_id,
        iteration: 0,
        number: 1,
        receipt: receiptOf(session.current.rules, treeOf(0), { test: "fail" }),
        live_ms: 0,
        cost_usd: null,
        recovered: false,
      },
      next: session.next(),
    });
    for (let times = 0; times < 3; times++) {
      const { task } = session;
      if (task.kind === "workflow")
        session.feed({ kind: "finished", finished: finishedOf(task, at(0)), next: session.next() });
    }
    expect(session.current.progress.without).toBe(3);
    session.feed({
      kind: "manual",
      manual: {
        attempt_id,
        receipt: receiptOf(session.current.rules, treeOf(0)),
        live_ms: 0,
        cost_usd: null,
      },
    });
    expect(session.current).toMatchObject({
      progress: { without: 0, best_passing: 1 },
      diagnosis: [],
    });
  });
});

describe("nothing eligible", () => {
  it("fails, naming what blocks each workflow", () => {
    const session = running(
      rulesOf([
        workflow("a", { run_on_start: true, run_when_requested: true }),
        workflow("b", { run_when_requested: true }),
      ]),
    );
    untilStop(session, () => ({}));
    expect(session.current).toMatchObject({
      status: "failed",
      stop_reason: "no_eligible_workflow",
      stop_detail:
        "No workflow is eligible: a: run_when_requested (no request); b: run_when_requested (no request).",
    });
  });
});
