import { nextActionWarning } from "@loopwright/protocol";
import { describe, expect, it } from "vitest";
import { compareActions } from "./compare-actions.ts";
import { nextActionProjectionWarning } from "./next-action-projection-warning.ts";

function warningOf(state: string | null, run: string | null, recommendedByPlanner = true) {
  return nextActionProjectionWarning({
    activeStateNextAction: state,
    latestRunRecommendedAction: run,
    recommendedByPlanner,
    goalId: "shop",
  });
}

describe("the warning of a next action mismatch", () => {
  it("has exactly these fields, with both texts unshortened", () => {
    const warning = warningOf("[P1] Deploy to production", "Do not deploy to production");
    expect(nextActionWarning.parse(warning)).toStrictEqual(warning);
    expect(warning).toStrictEqual({
      schema_version: 1,
      kind: "next_action_projection_mismatch",
      severity: "action",
      divergence: "negated",
      requires_state_writeback: true,
      active_state_next_action: "[P1] Deploy to production",
      latest_run_recommended_action: "Do not deploy to production",
      reason:
        'One of them forbids or excludes what the other asks for: the next action says "Deploy", the last run recommends "Do not deploy".',
      recommended_action:
        "Make the run's recommendation the next action: loopwright resolve shop --take run. Or keep the next action as it stands: loopwright resolve shop --take state.",
      differing: { only_in_state: ["Deploy"], only_in_run: ["Do not deploy"] },
    });
  });

  it.each([
    ["negated", "action", "Enable the cache", "Disable the cache"],
    ["different_target", "action", "Use sqlite", "Use postgres"],
    ["different_action", "watch", "Review the importer", "Rewrite the importer"],
    ["unrelated", "watch", "Fix login", "Benchmark the importer"],
  ])("of the divergence %s has the severity %s", (divergence, severity, state, run) => {
    expect(warningOf(state, run)).toMatchObject({ divergence, severity });
  });

  it("is only to know when the recommending workflow doesn't plan", () => {
    const warning = warningOf("Deploy", "Do not deploy", false);
    expect(warning).toMatchObject({ severity: "info", requires_state_writeback: false });
  });

  it.each([
    ["", "Deploy"],
    ["Deploy", ""],
    [null, "Deploy"],
    ["Deploy", null],
    [" \n\t", "Deploy"],
    ["- [ ] [P1] Agent:", "Deploy"],
    ["<!-- nothing yet -->", "Deploy"],
    ["…", "Deploy"],
    ["", ""],
  ])("isn't raised for %j and %j, where one says nothing", (state, run) => {
    expect(warningOf(state, run)).toBeNull();
  });
});

describe("what differs", () => {
  it.each([
    [
      "Migrate from sqlite to postgres",
      "Migrate from postgres to sqlite",
      ["sqlite to postgres"],
      ["postgres to sqlite"],
    ],
    ['Use "Fast mode"', 'Use "Safe mode"', ["Fast mode"], ["Safe mode"]],
    ["不要部署到生产环境", "部署到生产环境", ["不要部署到生"], ["部署到生"]],
    ["编写测试", "编写文档", ["测试"], ["文档"]],
    ["Call `loadUser`", "Call `fetchUser`", ["loadUser"], ["fetchUser"]],
    ["Ensure it isn't cached", "Ensure it is cached", ["isn't cached"], ["cached"]],
  ])("between %j and %j is shown as it was written", (a, b, only_in_a, only_in_b) => {
    expect(compareActions(a, b)).toMatchObject({ differing: { only_in_a, only_in_b } });
  });

  it("is bounded for texts of any length", () => {
    const many = Array.from({ length: 5000 }, (_, at) => `w${at}`).join(" ");
    const warning = warningOf(`fix ${many}`, `fix ${"x".repeat(50_000)}`);
    expect(warning?.differing.only_in_state).toHaveLength(40);
    expect(warning?.differing.only_in_run[0]).toHaveLength(120);
    expect(warning?.reason.length).toBeLessThan(500);
  });

  it("tells which text refines the other", () => {
    expect(compareActions("Fix login", "Fix login on phones")).toMatchObject({ refined_by: "b" });
    expect(compareActions("Fix login on phones", "Fix login")).toMatchObject({ refined_by: "a" });
    expect(compareActions("Fix login", "fix login!")).toMatchObject({ refined_by: null });
  });
});
