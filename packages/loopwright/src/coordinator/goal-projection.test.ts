import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projection, type WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { gather, loadProjection, readProjection } from "../control-plane/projection/index.ts";
import { type GoalLayout, runtimeLayout } from "../store/layout.ts";
import type { Coordinator } from "./coordinator.ts";
import { publishProjection } from "./publish-projection.ts";
import { until } from "./testing/processes.ts";
import { createRoom, GOAL, type Room } from "./testing/room.ts";
import { createScriptedWorker } from "./testing/scripted-worker.ts";

let room: Room;
let goal: GoalLayout;
beforeEach(() => {
  room = createRoom();
  goal = runtimeLayout(room.root).goal(GOAL);
});
afterEach(() => room.close());

const load = (): ReturnType<typeof loadProjection> => loadProjection(room.root, GOAL, room.seams);

async function iterate(coordinator: Coordinator, times: number): Promise<void> {
  const worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
  let task = await worker.task();
  for (let n = 0; n < times; n += 1)
    task = (await worker.finish(task as WorkflowTask)).body as WorkflowTask;
}

it("is written while the session runs, and says what it was derived from", async () => {
  const coordinator = await room.start();
  await iterate(coordinator, 2);
  await until(() => readProjection(room.root, GOAL)?.session?.iterations === 2);
  const written = readProjection(room.root, GOAL)!;
  expect(projection.parse(written)).toStrictEqual(written);
  const { seq } = coordinator.state();
  expect(written).toMatchObject({
    phase: "executing",
    coordinator: { liveness: "alive", pid: process.pid },
    session: { seq, task: { kind: "workflow", iteration: 3 } },
    derived_from: { journal: { path: "journal.jsonl", seq }, state: { path: "ACTIVE_STATE.md" } },
  });
  expect(load()).toMatchObject({ phase: "executing", session: written.session });
});

it("spares readers the journal while nothing was appended to it", async () => {
  const coordinator = await room.start();
  await iterate(coordinator, 3);
  await coordinator.close();
  const known = readProjection(room.root, GOAL)!;
  const options = { goalId: GOAL, known, now: Date.now() };
  expect(gather(goal, options).session).toBe(known.session);
  expect(load().phase).toBe("interrupted");

  writeFileSync(goal.activeState, "## Next Action\n\n- Write the parser\n");
  const edited = gather(goal, options);
  expect(edited.active_state?.next_action).toBe("Write the parser");
  expect(edited.session).toBe(known.session);

  const journal = goal.session(coordinator.sessionId).journal;
  writeFileSync(journal, readFileSync(journal));
  const again = gather(goal, options);
  expect(again.session).not.toBe(known.session);
  expect(again.session).toEqual(known.session);
});

it("isn't taken for true when a source changes within one tick of the clock", async () => {
  const coordinator = await room.start();
  for (let n = 0; n < 50; n += 1) {
    writeFileSync(goal.activeState, `## Next Action\n\n- Do part ${n % 10}\n`);
    const known = gather(goal, { goalId: GOAL, now: Date.now() });
    writeFileSync(goal.activeState, `## Next Action\n\n- Do part ${(n + 1) % 10}\n`);
    const { active_state } = gather(goal, { goalId: GOAL, known, now: Date.now() });
    expect(active_state?.next_action).toBe(`Do part ${(n + 1) % 10}`);
  }
  await coordinator.close();
});

it("is derived anew where the written one was changed by somebody else", async () => {
  const coordinator = await room.start();
  await iterate(coordinator, 1);
  await coordinator.close();
  const path = runtimeLayout(room.root).projection(GOAL);
  const text = readFileSync(path, "utf8");
  for (const forged of [
    text.replace('"iterations":1', '"iterations":9'),
    "{}",
    "",
    text.slice(9),
  ]) {
    writeFileSync(path, forged);
    expect(readProjection(room.root, GOAL)).toBeUndefined();
    expect(load().session?.iterations).toBe(1);
  }
});

it("is written by a refresh while nobody runs the goal, and left to its coordinator otherwise", async () => {
  const coordinator = await room.start();
  await iterate(coordinator, 1);
  const path = runtimeLayout(room.root).projection(GOAL);
  await until(() => readProjection(room.root, GOAL)?.session?.iterations === 1);
  rmSync(path);
  publishProjection(room.seams, room.root, GOAL);
  expect(readProjection(room.root, GOAL)).toBeUndefined();
  await coordinator.close();
  rmSync(path);
  publishProjection(room.seams, room.root, GOAL);
  expect(readProjection(room.root, GOAL)).toMatchObject({ phase: "interrupted" });
  expect(load()).toMatchObject({ phase: "interrupted", coordinator: { liveness: "none" } });
});

it("answers readers where nothing can be written, and holds up no session", async () => {
  mkdirSync(room.root, { recursive: true });
  writeFileSync(join(room.root, "projections"), "no directory");
  const coordinator = await room.start();
  await iterate(coordinator, 2);
  expect(load()).toMatchObject({ phase: "executing", session: { iterations: 2 } });
  await coordinator.close();
  const { state } = goal.session(coordinator.sessionId);
  expect(JSON.parse(readFileSync(state, "utf8"))).toMatchObject({ iterations: 2 });
  const before = readdirSync(room.root, { recursive: true }).length;
  load();
  expect(readdirSync(room.root, { recursive: true })).toHaveLength(before);
});

it("tells what can't be read, and never that it is empty", async () => {
  const coordinator = await room.start();
  await iterate(coordinator, 1);
  await coordinator.close();
  const layout = goal.session(coordinator.sessionId);
  const lines = readFileSync(layout.journal, "utf8");
  writeFileSync(layout.journal, lines.replace('"seq":2', '"seq":7'));
  expect(load()).toMatchObject({
    sessions: 1,
    session: null,
    phase: null,
    problems: [{ code: "JOURNAL_DAMAGED" }],
    attention: [{ severity: "high", kind: "journal_damaged", next_command: "loopwright doctor" }],
  });
  rmSync(goal.directory, { recursive: true });
  expect(load()).toMatchObject({ sessions: 0, session: null, problems: [], attention: [] });
});
