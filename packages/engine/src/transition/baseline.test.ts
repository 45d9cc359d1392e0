import { describe, expect, it } from "vitest";
import { digestOf, receiptOf, started, treeOf } from "../testing/fixtures.ts";
import { GatedSession, gated } from "../testing/gated-session.ts";
import { Play } from "../testing/play.ts";

describe("the baseline", () => {
  it("comes before the first task, in its own directory", () => {
    const session = new GatedSession(gated());
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
    const session = new GatedSession(gated());
    expect(session.verify({ lint: "fail" }, 0)).toEqual([
      "verification_finished",
      "baseline_recorded",
      "session_stopped",
    ]);
    expect(session.current).toMatchObject({ status: "stopped", stop_reason: "baseline_green" });
    const allowed = new GatedSession(gated({ baseline: "allow_green" }));
    expect(allowed.verify({}, 0)).toContain("task_assigned");
    expect(allowed.current.baseline).toBe("allowed_green");
  });

  it("stops where a check errors or no receipt could be made, and is taken anew after a reopening", () => {
    for (const outcomes of [
      { test: "error" as const },
      { test: "fail" as const, lint: "error" as const },
      null,
    ]) {
      const session = new GatedSession(gated());
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
    const session_id = "20260101T000000Z-0123456789ab-2";
    for (const [sha256, baseline] of [
      [digestOf(1), "red"],
      [digestOf(9), "green"],
    ] as const) {
      const found = { outcome: baseline, red: [], errors: [] };
      const play = new Play({
        kind: "started",
        started: started(rules, { red_before: [{ id: "test", sha256, session_id }] }),
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
      const recorded = play.lines.at(-1)?.records.find(({ type }) => type === "baseline_recorded");
      expect(recorded?.data).toEqual(
        baseline === "red"
          ? { ...found, red: ["test"], vacuous: ["lint"], red_before: [{ id: "test", session_id }] }
          : { ...found, vacuous: ["lint", "test"] },
      );
    }
  });
});
