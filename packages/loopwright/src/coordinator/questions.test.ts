import type { WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Coordinator } from "./coordinator.ts";
import { writeOffline } from "./offline-writes.ts";
import { createRoom, type Room, VERSION } from "./testing/room.ts";
import {
  createScriptedWorker,
  type Reply,
  type ScriptedWorker,
  send,
} from "./testing/scripted-worker.ts";

let room: Room;
let coordinator: Coordinator;
let worker: ScriptedWorker;
beforeEach(async () => {
  room = createRoom();
  coordinator = await room.start();
  worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
});
afterEach(() => room.close());

const ask = (what: string, body: object): Promise<Reply> =>
  send(`${coordinator.url}/goals/demo/${what}`, { token: coordinator.peopleToken, body });

/** Reports that it asks, and is held for the answer. */
async function asks(blocking: boolean) {
  const task = (await worker.task()) as WorkflowTask;
  const question = {
    id: "q1",
    text: "Which database?",
    options: ["sqlite", "postgres"],
    default: "sqlite",
    blocking,
  };
  const value = {
    schema_version: 1,
    attempt_id: task.attempt_id,
    summary: "Asked.",
    questions: [question],
  };
  return worker.finish(task, {}, { report: { state: "valid", value } });
}

it("holds every workflow for a question that blocks, and goes on with the answer in the prompt", async () => {
  const held = asks(true);
  await expect.poll(() => coordinator.state().questions).toHaveLength(1);
  expect(coordinator.state().task).toBeNull();
  expect((await ask("answer", { question: "q2", text: "x" })).body).toMatchObject({
    code: "QUESTION_NOT_FOUND",
    hint: "Open are: q1",
  });
  const { status, body } = await ask("answer", { question: "q1", text: "postgres" });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { seq: expect.any(Number) as number },
  });
  const next = (await held).body as WorkflowTask;
  expect(next).toMatchObject({
    iteration: 2,
    inputs: [{ id: "q1", text: 'Answer to "Which database?": postgres' }],
  });
  expect((await ask("answer", { question: "q1", text: "again" })).status).toBe(404);
  expect(coordinator.state()).toMatchObject({ questions: [], inputs: [{ id: "q1" }] });
});

it("goes on at once with a question that doesn't block", async () => {
  expect((await asks(false)).body).toMatchObject({ action: "run", iteration: 2 });
  expect(coordinator.state().questions).toEqual([
    {
      id: "q1",
      text: "Which database?",
      options: ["sqlite", "postgres"],
      default: "sqlite",
      blocking: false,
      iteration: 1,
    },
  ]);
});

it("takes guidance back, so that no prompt carries it any more", async () => {
  const first = (await worker.task()) as WorkflowTask;
  const { id } = (await ask("update", { text: "Use tabs" })).body as { id: string };
  expect((await ask(`inputs/${id}/withdraw`, {})).status).toBe(200);
  expect((await worker.finish(first)).body).toMatchObject({ iteration: 2, inputs: [] });
  expect((await ask(`inputs/${id}/withdraw`, {})).body).toMatchObject({ code: "INPUT_NOT_FOUND" });
  expect((await ask("inputs/..%2Fx/withdraw", {})).status).toBe(422);
  expect((await ask("withdraw", { input: id })).status).toBe(404);
});

it("takes an answer and a withdrawal while no coordinator lives, also of a stopped session", async () => {
  void asks(true);
  await expect.poll(() => coordinator.state().questions).toHaveLength(1);
  const { id } = (await ask("update", { text: "Use tabs" })).body as { id: string };
  await ask("stop", {});
  await coordinator.ended;
  await coordinator.close();
  const { sessionId } = coordinator;
  const at = {
    seams: room.seams,
    runtimeRoot: room.root,
    goalId: "demo",
    sessionId,
    version: VERSION,
  };
  const by = "user";
  await writeOffline(at, { name: "answer", body: { question: "q1", text: "sqlite", by } });
  await writeOffline(at, { name: "withdraw", body: { input: id, by } });
  const kept = await writeOffline(at, { name: "update", body: { text: "Use spaces", by } });
  // Nobody has taken this one up.
  await writeOffline(at, { name: "withdraw", body: { input: kept.id ?? "", by } });
  await expect(
    writeOffline(at, { name: "answer", body: { question: "q1", text: "again", by } }),
  ).rejects.toMatchObject({ code: "QUESTION_NOT_FOUND" });
  coordinator = await room.start({ kind: "existing", sessionId, reopen: { by, raise: [] } });
  expect(coordinator.state()).toMatchObject({
    status: "running",
    questions: [],
    inputs: [{ id: "q1", text: 'Answer to "Which database?": sqlite' }],
  });
});
