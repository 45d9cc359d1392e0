import { describe, expect, it } from "vitest";
import { explainStop } from "../explain/explain-stop.ts";
import { digestOf, receiptOf, factsOf, rulesOf, treeOf } from "../testing/fixtures.ts";
import { GatedSession, red, gated, workflows } from "../testing/gated-session.ts";
import { waiting } from "./waiting.ts";

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

  it("stops with what kept the last verification from being made, and says to settle that", () => {
    const session = red();
    session.claim();
    for (const last of [false, false, true]) {
      session.verify(null);
      if (!last) session.feed({ kind: "next", next: session.next() });
    }
    expect(session.current).toMatchObject({ stop_reason: "gate_error" });
    expect(explainStop(session.current)).toEqual(
      expect.arrayContaining([
        expect.stringContaining("3 times in a row; at last: no git."),
        "Settle what it names, then: loopwright resume",
      ]),
    );
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
    const session = new GatedSession(rulesOf(workflows));
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
