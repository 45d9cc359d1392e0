import type { RunRow } from "@loopwright/protocol";
import { expect, it } from "vitest";
import { digestOfText } from "../active-state/parse-active-state.ts";
import { driftAttention } from "../projection/attention.ts";
import { type PlanFacts, planDrift, recommendingRun } from "./plan-drift.ts";

const DIGEST = "a".repeat(64);

function row(changes: Partial<RunRow> = {}): RunRow {
  return {
    run_id: "r1",
    generated_at: "2026-08-01T10:00:00.000Z",
    kind: "iteration",
    plans: true,
    classification: "failed",
    recommended_action: "Deploy everything",
    recommended_action_source: "report",
    state_digest: DIGEST,
    next_action_digest: digestOfText("Deploy nothing"),
    path: "",
    ...changes,
  };
}

const activeState = {
  digest: DIGEST,
  nextAction: "Deploy nothing",
  openTodos: { you: 0, agent: 1 },
};

function drift(changes: Partial<RunRow> | null, facts: Partial<PlanFacts> = {}) {
  const run = changes === null ? null : row(changes);
  return planDrift({ goalId: "shop", activeState, latest: run, recommending: run, ...facts }).map(
    ({ kind, severity }) => `${kind} ${severity}`,
  );
}

it("a planner's or a person's recommendation that goes against the next action is a mismatch", () => {
  const grave = ["next_action_projection_mismatch action"];
  expect(drift({})).toEqual(grave);
  const { plans: _plans, ...unsaid } = row({ kind: "refresh" });
  expect(
    planDrift({ goalId: "shop", activeState, latest: unsaid, recommending: unsaid }),
  ).toHaveLength(1);
});

it("a workflow that doesn't plan is only to know, and an older recommendation is answered", () => {
  expect(drift({ plans: false })).toEqual(["next_action_projection_mismatch info"]);
  expect(drift({ next_action_digest: digestOfText("Another") })).toEqual([]);
  expect(drift({ recommended_action: "deploy NOTHING!" })).toEqual([]);
  expect(drift(null)).toEqual([]);
});

it("a state that was edited since makes the run a stale one, if its digest is known at all", () => {
  const edited = { activeState: { ...activeState, digest: "b".repeat(64) } };
  const agreed = { recommended_action: "Deploy nothing" };
  expect(drift(agreed, edited)).toEqual(["stale_latest_run watch"]);
  expect(drift(agreed, { activeState: null })).toEqual(["stale_latest_run action"]);
  expect(drift({ ...agreed, state_digest: "" }, edited)).toEqual([]);
  expect(drift({ ...agreed, state_digest: "0123456789abcdef" }, edited)).toEqual([]);
});

it("a next action that waits without a todo of yours is told", () => {
  const waiting = { ...activeState, nextAction: "Wait for the review" };
  expect(drift(null, { activeState: waiting })).toEqual(["prose_without_todo watch"]);
});

it("the newest run with a recommendation counts, whatever ran since", () => {
  const { recommended_action: _action, ...silent } = row({ run_id: "r2" });
  expect(recommendingRun([row(), silent])?.run_id).toBe("r1");
  expect(recommendingRun([silent])).toBeNull();
});

it("each mismatch names one command that settles it", () => {
  const warnings = planDrift({ goalId: "shop", activeState, latest: row(), recommending: row() });
  expect(driftAttention("shop", warnings, "").map((item) => item.next_command)).toEqual([
    "loopwright resolve shop --take run",
  ]);
});
