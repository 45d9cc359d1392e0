import type { Rules } from "@loopwright/protocol";
import { describe, expect, it } from "vitest";
import { controlOf, gated, type GatedSession, red, types } from "../testing/gated-session.ts";

describe("a control", () => {
  const refused = (rules: Rules, changes: object): GatedSession => {
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
