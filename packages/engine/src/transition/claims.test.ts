import type { JournalRecord, Rules } from "@loopwright/protocol";
import { describe, expect, it } from "vitest";
import {
  digestOf,
  finishedOf,
  changesAt,
  receiptOf,
  rulesOf,
  started,
  treeOf,
  workflow,
  factsOf,
} from "../testing/fixtures.ts";
import { Play } from "../testing/play.ts";
import type { Finished } from "./occurrence.ts";
import { waiting } from "./waiting.ts";

const checks = [
  { id: "test", sha256: digestOf(1), required: true },
  { id: "lint", sha256: digestOf(2), required: false },
];
const workflows = [
  workflow("outer", { priority: 1, plans: true, may_complete: true }),
  workflow("inner"),
];
const gated = (gate: Partial<Rules["gate"]> = {}, limits: Partial<Rules["limits"]> = {}): Rules =>
  rulesOf(workflows, { gate: { checks, ...gate }, limits });

const types = (records: readonly JournalRecord[]): string[] => records.map((record) => record.type);
type Outcomes = Record<string, "pass" | "fail" | "error">;

class Session extends Play {
  constructor(rules: Rules) {
    super({ kind: "started", started: started(rules) });
    this.feed({ kind: "next", next: this.next() });
  }

  verify(outcomes: Outcomes | null, tree = 1, goesOn = true): string[] {
    const { task } = this;
    if (task.kind !== "verification") throw new Error("an iteration is live");
    const { verification: kind, attempt_id, iteration, number } = task;
    const receipt =
      outcomes === null ? null : receiptOf(this.current.rules, treeOf(tree), outcomes);
    return types(
      this.feed({
        kind: "verified",
        verified: {
          kind,
          attempt_id,
          iteration,
          number,
          receipt,
          live_ms: 10,
          cost_usd: null,
          recovered: false,
          ...(receipt === null ? { problem: "no git" } : {}),
        },
        next: goesOn ? this.next() : undefined,
      }),
    );
  }

  finish(changes: Partial<Finished> = {}, goesOn = true): string[] {
    const { task } = this;
    if (task.kind !== "workflow") throw new Error("a verification is live");
    return types(
      this.feed({
        kind: "finished",
        finished: finishedOf(task, changes),
        next: goesOn ? this.next() : undefined,
      }),
    );
  }

  claim(changes: Partial<Finished> = {}, goesOn = true): string[] {
    return this.finish({ control: controlOf(this.task.attempt_id), ...changes }, goesOn);
  }
}

function controlOf(attempt_id: string, changes: object = {}): Finished["control"] {
  return {
    state: "valid",
    value: {
      schema_version: 1,
      attempt_id,
      state: "stopped",
      stop_reason: "goal_met",
      reason: "all done",
      attempted_routes: [],
      ...changes,
    },
  };
}

/** A session behind a red baseline with its first iteration live. */
function red(rules: Rules = gated()): Session {
  const session = new Session(rules);
  session.verify({ test: "fail" }, 0);
  return session;
}

describe("the baseline", () => {
  it("comes before the first task, in its own directory", () => {
    const session = new Session(gated());
    expect(session.task).toMatchObject({
      kind: "verification",
      verification: "baseline",
      directory: "evaluations/0000-1",
    });
    expect(session.verify({ test: "fail" }, 0)).toEqual([
      "verification_finished",
      "baseline_recorded",
      "task_assigned",
    ]);
    expect(session.current).toMatchObject({
      baseline: "red",
      red_checks: ["test"],
      iterations: 0,
      gate: { verifications: 1 },
    });
  });

  it("stops where nothing required is red, unless green is allowed", () => {
    const session = new Session(gated());
    expect(session.verify({ lint: "fail" }, 0)).toEqual([
      "verification_finished",
      "baseline_recorded",
      "session_stopped",
    ]);
    expect(session.current).toMatchObject({ status: "stopped", stop_reason: "baseline_green" });
    const allowed = new Session(gated({ baseline: "allow_green" }));
    expect(allowed.verify({}, 0)).toContain("task_assigned");
    expect(allowed.current.baseline).toBe("allowed_green");
  });

  it("stops where a check errors or no receipt could be made, and is taken anew after a reopening", () => {
    for (const outcomes of [
      { test: "error" as const },
      { test: "fail" as const, lint: "error" as const },
      null,
    ]) {
      const session = new Session(gated());
      session.verify(outcomes, 0);
      expect(session.current.stop_reason).toBe("baseline_error");
      session.feed({ kind: "resume", by: "user", raise: [], reopen: true });
      session.feed({ kind: "next", next: session.next() });
      expect(session.task).toMatchObject({
        verification: "baseline",
        directory: "evaluations/0000-2",
      });
    }
  });

  it("counts a check as red that an earlier session saw failing with the same hash", () => {
    const rules = gated();
    for (const [sha256, baseline] of [
      [digestOf(1), "red"],
      [digestOf(9), "green"],
    ] as const) {
      const play = new Play({
        kind: "started",
        started: started(rules, { red_before: [{ id: "test", sha256 }] }),
      });
      play.feed({ kind: "next", next: play.next() });
      const { attempt_id } = play.task;
      play.feed({
        kind: "verified",
        verified: {
          kind: "baseline",
          attempt_id,
          iteration: 0,
          number: 1,
          receipt: receiptOf(rules, treeOf(0)),
          live_ms: 1,
          cost_usd: null,
          recovered: false,
        },
      });
      expect(play.current.baseline).toBe(baseline);
    }
  });
});

describe("a claim", () => {
  it("is verified before anything else, and a pass meets the goal", () => {
    const session = red();
    expect(session.claim()).toEqual(["task_finished", "control_accepted", "verification_started"]);
    expect(session.task).toMatchObject({ verification: "claim", directory: "evaluations/0001-1" });
    expect(session.verify({})).toEqual(["verification_finished", "session_stopped"]);
    expect(session.current).toMatchObject({
      status: "goal_met",
      stop_reason: "goal_met",
      verified: true,
      claim: null,
    });
  });

  it("counts whatever the outcome of its run, and is latched while no worker waits", () => {
    const session = red();
    expect(session.claim({ outcome: "timed_out", orderly: false }, false)).toEqual([
      "task_finished",
      "control_accepted",
    ]);
    expect(session.current.claim).toMatchObject({ iteration: 1, workflow_id: "outer" });
    session.feed({ kind: "next", next: session.next() });
    expect(session.task).toMatchObject({ verification: "claim" });
  });

  it("is refused by a failing check, which the next prompt shows", () => {
    const session = red();
    session.claim();
    expect(session.verify({ test: "fail", lint: "fail" })).toEqual([
      "verification_finished",
      "task_assigned",
    ]);
    expect(session.current).toMatchObject({ claim: null, gate: { refused: { times: 1 } } });
    expect(session.current.diagnosis).toMatchObject([
      {
        kind: "claim_refused",
        text: expect.stringContaining("these checks fail: test."),
        path: "evaluations/0001-1",
      },
    ]);
  });

  it("is refused three times on one tree, then the session stops; another tree counts anew", () => {
    const session = red();
    const claimAt = (tree: number): void => {
      while (session.task.kind !== "workflow" || session.task.workflow_id !== "outer")
        session.finish();
      session.claim();
      session.verify({ test: "fail" }, tree);
    };
    for (const tree of [1, 1, 2, 2]) claimAt(tree);
    expect(session.current.status).toBe("running");
    claimAt(2);
    expect(session.current.stop_reason).toBe("claim_refused");
  });

  it("is neither passed nor failed by an error: retried with back-off, stopped at the third", () => {
    const session = red();
    session.claim();
    expect(session.verify({ test: "error" })).toEqual(["verification_finished"]);
    expect(waiting(session.current, factsOf())).toEqual({ for: "retry", ms: 1000 });
    session.feed({ kind: "next", next: session.next() });
    expect(session.task).toMatchObject({ directory: "evaluations/0001-2" });
    session.verify(null);
    expect(waiting(session.current, factsOf())).toEqual({ for: "retry", ms: 5000 });
    session.feed({ kind: "next", next: session.next() });
    expect(session.verify({ test: "error" })).toEqual(["verification_finished", "session_stopped"]);
    expect(session.current).toMatchObject({ stop_reason: "gate_error", claim: { iteration: 1 } });
    session.feed({ kind: "resume", by: "user", raise: [], reopen: true });
    session.feed({ kind: "next", next: session.next() });
    expect(session.verify({})).toEqual(["verification_finished", "session_stopped"]);
    expect(session.current.status).toBe("goal_met");
  });

  it("isn't met by a receipt that lacks a pinned check or has it with another hash", () => {
    const session = red();
    session.claim();
    const { attempt_id } = session.task;
    const receipt = {
      ...receiptOf(session.current.rules, treeOf(1)),
      checks: [{ id: "test", sha256: digestOf(77), required: true, outcome: "pass" as const }],
    };
    session.feed({
      kind: "verified",
      verified: {
        kind: "claim",
        attempt_id,
        iteration: 1,
        number: 1,
        receipt,
        live_ms: 1,
        cost_usd: null,
        recovered: false,
      },
      next: session.next(),
    });
    expect(session.current).toMatchObject({ status: "running", gate: { errors_in_row: 1 } });
  });

  it("is refused with a diagnosis when everything passes but nothing was ever red", () => {
    const session = red();
    session.feed({
      kind: "repin",
      repin: {
        by: "user",
        checks: [{ id: "test", sha256: digestOf(50), required: true }],
        files: [],
        pins_sha256: digestOf(51),
        diff_path: null,
      },
    });
    session.claim();
    session.verify({});
    expect(session.current).toMatchObject({ status: "running", claim: null });
    expect(session.current.diagnosis).toMatchObject([
      { kind: "claim_refused", text: expect.stringContaining("none of them was seen failing") },
    ]);
  });

  it("takes changed checks, and what they find, after a stop that may be reopened", () => {
    const session = red();
    session.feed({ kind: "stop", stop: { mode: "now", by: "user" } });
    while (session.current.task !== null) session.finish();
    expect(session.current.status).toBe("stopped");
    const checks = [{ id: "test", sha256: digestOf(50), required: true }];
    session.feed({
      kind: "repin",
      repin: { by: "user", checks, files: [], pins_sha256: digestOf(51), diff_path: null },
    });
    expect(session.current).toMatchObject({ status: "stopped", unbased: ["test"], red_checks: [] });
    expect(session.current.gate.receipts).toEqual([]);
  });

  it("can meet the goal after a repin once the new check was seen failing", () => {
    const session = red();
    session.feed({
      kind: "repin",
      repin: {
        by: "user",
        checks: [{ id: "test", sha256: digestOf(50), required: true }],
        files: [],
        pins_sha256: digestOf(51),
        diff_path: null,
      },
    });
    session.claim();
    session.verify({ test: "fail" }, 1);
    expect(session.current.red_checks).toEqual(["test"]);
    while (session.task.kind !== "workflow" || session.task.workflow_id !== "outer")
      session.finish();
    session.claim();
    session.verify({}, 2);
    expect(session.current.status).toBe("goal_met");
  });

  it("ends an ungated session at once, and says that nothing verified it", () => {
    const session = new Session(rulesOf(workflows));
    expect(session.claim({}, false)).toEqual([
      "task_finished",
      "control_accepted",
      "session_stopped",
    ]);
    expect(session.current).toMatchObject({ status: "goal_met", verified: false });
  });

  it("keeps its number free of abandoned verifications, which are repeated", () => {
    const session = red();
    session.claim();
    const { attempt_id, iteration } = session.task;
    session.feed({
      kind: "abandoned",
      abandoned: {
        kind: "verification",
        workflow_id: null,
        iteration,
        attempt_id,
        cause: "crash",
        reason: "its worker died",
        started: true,
        live_ms: 3,
      },
      next: session.next(),
    });
    expect(session.task).toMatchObject({ verification: "claim", directory: "evaluations/0001-2" });
    expect(session.current.iterations).toBe(1);
  });

  it("is exempt from every limit but time", () => {
    const session = red(gated({}, { max_iterations: 1, max_wall_clock_ms: 10_000 }));
    expect(session.claim()).toContain("verification_started");
    const late = red(gated({}, { max_wall_clock_ms: 500 }));
    expect(late.claim()).toEqual([
      "task_finished",
      "control_accepted",
      "limit_reached",
      "session_stopped",
    ]);
    expect(late.current).toMatchObject({ stop_reason: "max_wall_clock", claim: { iteration: 1 } });
  });
});

describe("a control", () => {
  const refused = (rules: Rules, changes: object): Session => {
    const session = red(rules);
    session.finish({ control: controlOf(session.task.attempt_id, changes) });
    return session;
  };

  it("that claims is refused to a workflow that may not complete", () => {
    const session = red();
    session.finish();
    expect(session.claim()).toContain("control_refused");
    expect(session.current).toMatchObject({
      claim: null,
      gate: { refused_controls_in_row: 1 },
      diagnosis: [{ kind: "control_refused" }],
    });
  });

  it("that gives up needs the routes that were tried", () => {
    const none = refused(gated(), { stop_reason: "unresolvable_error" });
    expect(none.current.gate.refused_controls_in_row).toBe(1);
    const tried = refused(gated(), {
      stop_reason: "unresolvable_error",
      attempted_routes: ["a mirror"],
    });
    expect(tried.current).toMatchObject({ status: "failed", stop_reason: "unresolvable_error" });
  });

  it("of another attempt is stale: journaled, never counted", () => {
    const session = red();
    session.finish({ control: controlOf("1".repeat(26)) });
    expect(session.current).toMatchObject({
      claim: null,
      gate: { refused_controls_in_row: 0 },
      diagnosis: [],
    });
    expect(session.lines.at(-1)?.records[1]).toMatchObject({
      type: "control_refused",
      data: { verdict: "stale" },
    });
  });

  it("that is running asks for nothing", () => {
    const session = refused(gated(), { state: "running" });
    expect(types(session.lines.at(-1)?.records ?? [])).toEqual(["task_finished", "task_assigned"]);
  });

  it("refused three times in a row stops the session", () => {
    const session = red();
    for (let times = 0; times < 3; times++)
      session.finish({ control: { state: "invalid", reason: "not JSON", text: "{" } });
    expect(session.current).toMatchObject({ status: "stopped", stop_reason: "control_broken" });
  });
});

describe("an advisory verification", () => {
  it("follows each implementing iteration where the gate asks for it, and ends nothing", () => {
    const session = red(gated({ run: "implementing" }));
    expect(session.finish()).toEqual(["task_finished", "task_assigned"]);
    expect(session.finish()).toEqual(["task_finished", "verification_started"]);
    expect(session.task).toMatchObject({
      verification: "advisory",
      directory: "evaluations/0002-1",
    });
    expect(session.verify({})).toEqual(["verification_finished", "task_assigned"]);
    expect(session.current.status).toBe("running");
  });

  it("that errors isn't repeated and is no gate error", () => {
    const session = red(gated({ run: "implementing" }));
    session.finish();
    session.finish();
    expect(session.verify({ test: "error" })).toEqual(["verification_finished", "task_assigned"]);
    expect(session.current.gate.errors_in_row).toBe(0);
  });
});

describe("a manual verification", () => {
  it("is journaled in one line while a task is live, and touches neither task nor claim", () => {
    const session = red();
    const { task } = session;
    const records = session.feed({
      kind: "manual",
      manual: {
        attempt_id: "2".repeat(26),
        receipt: receiptOf(session.current.rules, treeOf(5)),
        live_ms: 4,
        cost_usd: null,
      },
    });
    expect(types(records)).toEqual(["verification_started", "verification_finished"]);
    expect(session.current).toMatchObject({
      task,
      status: "running",
      passing: ["lint", "test"],
      gate: { last: { kind: "manual", directory: "evaluations/0000-2" } },
    });
  });
});

describe("receipts", () => {
  it("are kept for reuse without errors, the newest first, sixteen at most", () => {
    const session = red();
    for (let tree = 1; tree <= 20; tree++)
      session.feed({
        kind: "manual",
        manual: {
          attempt_id: "2".repeat(26),
          receipt: receiptOf(session.current.rules, treeOf(tree), {
            test: tree === 20 ? "error" : "fail",
          }),
          live_ms: 0,
          cost_usd: null,
        },
      });
    expect(session.current.gate.receipts).toHaveLength(16);
    expect(session.current.gate.receipts[0]?.receipt.tree_digest).toBe(treeOf(19));
    expect(changesAt(null).tree_digest).toBeNull();
  });
});
