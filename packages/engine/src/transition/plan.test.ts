import type { JournalRecord } from "@loopwright/protocol";
import { expect, it } from "vitest";
import { digestOf, finishedOf, rulesOf, started, workflow } from "../testing/fixtures.ts";
import { Play } from "../testing/play.ts";
import type { Finished, Plan } from "./occurrence.ts";

const KIND = "next_action_projection_mismatch";
const PLAN: Plan = {
  moved: {
    from_sha256: digestOf(1),
    to_sha256: digestOf(2),
    text: "Go on",
    iteration: 1,
    by: "outer",
    updated_at: "2026-01-01T00:00:00.000Z",
  },
  resolved: { kind: KIND, take: "run", by: "outer" },
  drift: { kind: KIND, severity: "action", detail: "They differ." },
};

const valid = (recommended_action?: string): Finished["report"] => ({
  state: "valid",
  value: {
    schema_version: 1 as const,
    attempt_id: "0".repeat(26),
    summary: "Planned",
    evidence: [],
    blockers: [],
    learned: [],
    inputs: [],
    questions: [],
    todos_done: [],
    todos_add: [],
    ...(recommended_action === undefined ? {} : { recommended_action }),
  },
});

const types = (records: readonly JournalRecord[]): string[] => records.map(({ type }) => type);

/** `outer` plans; `inner` runs once after each of its successes. */
function planning(): Play {
  const outer = workflow("outer", { plans: true });
  const inner = workflow("inner", { priority: 10, must_follow: "outer" });
  const play = new Play({ kind: "started", started: started(rulesOf([outer, inner])) });
  play.feed({ kind: "next", next: play.next() });
  return play;
}

interface Ending {
  readonly plan: Plan;
  readonly outcome?: "failed";
  readonly action?: null;
}

function end(play: Play, { plan, outcome, action }: Ending): string[] {
  const { task } = play;
  if (task.kind !== "workflow") throw new Error("a verification is live");
  const finished = finishedOf(task, {
    ...(outcome === undefined ? {} : { outcome }),
    report: valid(action === null ? undefined : "Go on"),
  });
  return types(play.feed({ kind: "finished", finished, plan, next: play.next() }));
}

/** The assignments behind the first: workflow, and the diagnoses that it was told. */
function assigned({ lines }: Play): [string, string[]][] {
  return lines
    .flatMap(({ records }) => records)
    .flatMap(({ type, data }): [string, string[]][] =>
      type === "task_assigned" ? [[data.workflow_id, data.diagnosis.map(({ kind }) => kind)]] : [],
    )
    .slice(1);
}

it("a succeeded planning iteration moves the next action in the line that records it", () => {
  const play = planning();
  expect(end(play, { plan: PLAN })).toEqual([
    "task_finished",
    "next_action_moved",
    "task_assigned",
  ]);
});

it("nothing is moved by a workflow that doesn't plan, nor without a recommendation", () => {
  const play = planning();
  expect(end(play, { plan: PLAN, action: null })).toEqual(["task_finished", "task_assigned"]);
  expect(play.current.task).toMatchObject({ workflow_id: "inner" });
  expect(end(play, { plan: PLAN })).toEqual(["task_finished", "task_assigned"]);
});

it("what a failed planner recommends is drift, which only planners are told until it is settled", () => {
  const play = planning();
  expect(end(play, { plan: PLAN, outcome: "failed" })).toEqual([
    "task_finished",
    "drift_detected",
    "task_assigned",
  ]);
  expect(assigned(play)).toEqual([["outer", ["drift"]]]);
  expect(end(play, { plan: { drift: PLAN.drift } })).toContain("drift_detected");
  expect(end(play, { plan: {} })).toEqual(["task_finished", "task_assigned"]);
  expect(assigned(play).slice(1)).toEqual([
    ["inner", []],
    ["outer", ["drift"]],
  ]);
  expect(end(play, { plan: PLAN })).toEqual([
    "task_finished",
    "next_action_moved",
    "drift_resolved",
    "task_assigned",
  ]);
  expect(play.current.diagnosis).toEqual([]);
});

it("a person settles it, with a move or without, in one line", () => {
  const play = planning();
  end(play, { plan: PLAN, outcome: "failed" });
  const resolved = { kind: KIND, take: "state" as const, by: "user" };
  expect(
    types(
      play.feed({
        kind: "noted",
        noted: { type: "next_action_moved", data: { ...PLAN.moved!, by: "user" } },
        resolved,
      }),
    ),
  ).toEqual(["next_action_moved", "drift_resolved"]);
  expect(play.current.diagnosis).toEqual([]);
});
