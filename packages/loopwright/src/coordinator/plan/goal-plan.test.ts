import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type State, verifyLine } from "@loopwright/engine";
import type { Result, WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  createActiveState,
  digestOfText,
  nextActionOf,
  withNextAction,
} from "../../control-plane/active-state/index.ts";
import { readRunIndex } from "../../control-plane/run-index/index.ts";
import { readSession } from "../../control-plane/session/read-session.ts";
import { systemDisk } from "../../store/disk.ts";
import { type GoalLayout, runtimeLayout } from "../../store/layout.ts";
import { createRoom, GOAL, type Room, VERSION } from "../testing/room.ts";
import { createScriptedWorker, resultOf } from "../testing/scripted-worker.ts";
import { settleOffline } from "./settle-offline.ts";

let room: Room;
let goal: GoalLayout;
beforeEach(() => {
  room = createRoom();
  goal = runtimeLayout(room.root).goal(GOAL);
  createActiveState(systemDisk, goal.activeState, { goalId: GOAL, objective: "It works", at: AT });
});
afterEach(() => room.close());

const AT = "2026-08-01T10:00:00.000Z";
const WORKFLOWS = [
  { id: "outer", prompt: "Plan.", plans: true },
  { id: "inner", prompt: "Work.", priority: 10, must_follow: "outer" },
];

const state = (): string => readFileSync(goal.activeState, "utf8");
const edit = (action: string): void =>
  writeFileSync(goal.activeState, withNextAction(state(), action, AT));

function report(task: WorkflowTask, recommended_action?: string): Partial<Result> {
  const { report: made } = resultOf(task);
  if (made.state !== "valid") throw new Error("a scripted report is valid");
  const value = recommended_action === undefined ? {} : { recommended_action };
  return { report: { ...made, value: { ...made.value, ...value } } };
}

async function begin() {
  const coordinator = await room.start({ workflows: WORKFLOWS });
  const worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
  const finish = async (task: WorkflowTask, action?: string, changes: Partial<Result> = {}) =>
    (await worker.finish(task, { ...report(task, action), ...changes })).body as WorkflowTask;
  const types = () =>
    readSession(room.session(coordinator.sessionId).directory).lines.map(({ records }) =>
      records.map(({ type }) => type),
    );
  return { coordinator, worker, finish, types };
}

it("a planner's recommendation becomes the next action; every iteration leaves its row", async () => {
  const { coordinator, worker, finish, types } = await begin();
  const outer = (await worker.task()) as WorkflowTask;
  expect(outer.plan).toMatchObject({ next_action: null, last: null, path: goal.activeState });
  const inner = await finish(outer, "Write the parser");
  expect(types().at(-1)).toEqual(["task_finished", "next_action_moved", "task_assigned"]);
  expect(nextActionOf(state())).toBe("Write the parser");
  expect(state()).toContain("## Objective\n\nIt works\n");
  expect(inner.plan).toBeUndefined();
  const again = await finish(inner, "Benchmark the importer");
  expect(again.plan).toMatchObject({
    next_action: "Write the parser",
    last: { iteration: 2, workflow_id: "inner", recommended_action: "Benchmark the importer" },
  });
  expect(nextActionOf(state())).toBe("Write the parser");
  const { rows, bad } = readRunIndex(goal.runs);
  const digest = digestOfText(state());
  expect(bad).toEqual([]);
  expect(rows).toMatchObject([
    { iteration: 1, plans: true, recommended_action: "Write the parser", state_digest: digest },
    {
      iteration: 2,
      plans: false,
      state_digest: digest,
      path: expect.stringMatching(/0002_inner$/),
    },
  ]);
  expect(existsSync(`${goal.directory}/${rows[0]?.path}`)).toBe(false);
  expect(rows[0]?.path).toBe(`sessions/${coordinator.sessionId}/iterations/0001_outer`);
});

it("a next action that a person moved meanwhile stands, and the next planner is told until it settles it", async () => {
  const { worker, finish, types } = await begin();
  const outer = (await worker.task()) as WorkflowTask;
  edit("Deploy nothing");
  const inner = await finish(outer, "Deploy everything");
  expect(types().at(-1)).toEqual(["task_finished", "drift_detected", "task_assigned"]);
  expect(nextActionOf(state())).toBe("Deploy nothing");
  expect(inner.diagnosis).toEqual([]);
  const again = await finish(inner);
  expect(again.diagnosis).toMatchObject([{ kind: "drift" }]);
  expect(again.diagnosis[0]?.text).toContain('"Deploy nothing", but iteration 1 (outer)');
  await finish(again, "Deploy nothing");
  expect(types().at(-1)).toEqual(["task_finished", "drift_resolved", "task_assigned"]);
});

it("what a crash left undone is done at the next start: the move, and the rows", async () => {
  const { coordinator, worker, finish } = await begin();
  const before = state();
  const inner = await finish((await worker.task()) as WorkflowTask, "Write the parser");
  const after = state();
  await finish(inner);
  await coordinator.close();
  rmSync(goal.runs);
  writeFileSync(goal.activeState, before);
  const opening = { kind: "existing", sessionId: coordinator.sessionId } as const;
  const second = await room.start(opening);
  expect(state()).toBe(after);
  expect(readRunIndex(goal.runs).rows.map(({ run_id }) => run_id)).toEqual([
    `${coordinator.sessionId}-0001`,
    `${coordinator.sessionId}-0002`,
  ]);
  await second.close();
  // Now its row says that it was done: going back is a person's own wish.
  writeFileSync(goal.activeState, before);
  await room.start(opening);
  expect(state()).toBe(before);
});

it("a move that a crash left undone isn't written over what somebody wrote since: that is drift", async () => {
  const { coordinator, worker, finish, types } = await begin();
  await finish((await worker.task()) as WorkflowTask, "Write the parser");
  await coordinator.close();
  rmSync(goal.runs);
  writeFileSync(goal.activeState, "## Next Action\n\n- My own\n");
  await room.start({ kind: "existing", sessionId: coordinator.sessionId });
  expect(nextActionOf(state())).toBe("My own");
  expect(types().at(-1)).toEqual(["drift_detected"]);
});

it("goes on without an active state, and with one that can't be read", async () => {
  rmSync(goal.activeState);
  const { worker, finish, types } = await begin();
  const inner = await finish((await worker.task()) as WorkflowTask, "Write the parser");
  expect(types().at(-1)).toEqual(["task_finished", "task_assigned"]);
  await finish(inner);
  expect(existsSync(goal.activeState)).toBe(false);
  expect(readRunIndex(goal.runs).rows).toMatchObject([{ state_digest: "" }, { state_digest: "" }]);
});

it("a person settles it, live through the coordinator or later under the lock, in one line", async () => {
  const { coordinator, worker, finish, types } = await begin();
  const outer = (await worker.task()) as WorkflowTask;
  edit("Deploy nothing");
  const inner = await finish(outer, "Deploy everything");
  const resolve = (body: object) =>
    worker.post(`/goals/${GOAL}/resolve`, body, { token: coordinator.peopleToken });
  expect(await resolve({ take: "both" })).toMatchObject({ status: 422 });
  expect(await resolve({ take: "run" })).toMatchObject({ status: 200 });
  expect(types().at(-1)).toEqual(["next_action_moved", "drift_resolved"]);
  expect(nextActionOf(state())).toBe("Deploy everything");
  expect((await finish(inner)).diagnosis).toEqual([]);
  const { seq } = coordinator.state();
  expect(await resolve({ take: "run" })).toMatchObject({ body: { seq } });
  await coordinator.close();

  const { seams, root: runtimeRoot } = room;
  const offline = { seams, runtimeRoot, goalId: GOAL, version: VERSION };
  const body = { take: "state", next_action: "Rest", by: "user" } as const;
  expect(await settleOffline(offline, body)).toEqual({ seq: seq + 1 });
  expect(await settleOffline(offline, body)).toEqual({ seq: seq + 1 });
  expect(types().at(-1)).toEqual(["next_action_moved"]);
  expect(nextActionOf(state())).toBe("Rest");
  expect(readRunIndex(goal.runs).rows.map(({ classification }) => classification)).toEqual([
    "succeeded",
    "took_run",
    "succeeded",
    "moved",
  ]);
  expect(verified(coordinator.sessionId)).toEqual([]);
});

/** What doesn't follow when every line is decided again. */
function verified(sessionId: string): unknown[] {
  let before: State | null = null;
  return readSession(room.session(sessionId).directory).lines.flatMap((line) => {
    const { after, disagreements } = verifyLine(before, line);
    before = after;
    return disagreements;
  });
}
