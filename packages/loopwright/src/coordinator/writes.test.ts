import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { ProblemBody, WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Coordinator } from "./coordinator.ts";
import { commitOffline } from "./offline.ts";
import {
  processFileOf,
  type Sleeper,
  startAgent,
  startSleeper,
  until,
} from "./testing/processes.ts";
import { createRoom, type Room, VERSION } from "./testing/room.ts";
import {
  claimOf,
  createScriptedWorker,
  leave,
  type PostOptions,
  type Reply,
  resultOf,
  type ScriptedWorker,
  send,
} from "./testing/scripted-worker.ts";

let room: Room;
let coordinator: Coordinator;
let worker: ScriptedWorker;
const sleepers: Sleeper[] = [];
beforeEach(async () => {
  room = createRoom();
  coordinator = await room.start();
  worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
});
afterEach(async () => {
  await Promise.all(sleepers.splice(0).map((each) => each.end()));
  await room.close();
});

const ask = (what: string, body: object = {}, options: PostOptions = {}): Promise<Reply> =>
  send(`${coordinator.url}/goals/demo/${what}`, {
    token: coordinator.peopleToken,
    body,
    ...options,
  });

it("stops after the running iteration, and its report counts", async () => {
  const task = (await worker.task()) as WorkflowTask;
  expect((await ask("stop", { by: "ann" })).status).toBe(200);
  expect(coordinator.state()).toMatchObject({
    status: "running",
    stop_requested: { mode: "graceful" },
  });
  expect((await worker.finish(task)).body).toMatchObject({
    action: "stop",
    status: "stopped",
    stop_reason: "user_stop",
  });
  expect(coordinator.state().iterations).toBe(1);
  expect(await coordinator.ended).toEqual({ status: "stopped", stop_reason: "user_stop" });
});

it("stops at once when nothing runs, and tells the waiting worker", async () => {
  await ask("pause");
  const held = worker.register();
  await until(() => coordinator.state().seat !== null);
  await ask("stop");
  expect((await held).body).toMatchObject({ action: "stop", stop_reason: "user_stop" });
  await coordinator.ended;
});

it("asks the worker to end its agent now, and records the cancellation", async () => {
  const task = (await worker.task()) as WorkflowTask;
  leave(task, { "prompt.md": "" });
  await ask("stop", { mode: "now" });
  const cancel = JSON.parse(readFileSync(join(task.task_dir, "cancel.json"), "utf8")) as object;
  expect(cancel).toEqual({ schema_version: 1, attempt_id: task.attempt_id, mode: "now" });
  expect((await worker.finish(task, { outcome: "cancelled", orderly: false })).body).toMatchObject({
    action: "stop",
  });
  expect(coordinator.state()).toMatchObject({
    status: "stopped",
    stop_reason: "user_stop",
    iterations: 1,
  });
});

it("ends the attempt itself when the worker is dead", async () => {
  const dying = await startSleeper(room.seams.processes);
  sleepers.push(dying);
  const task = (await createScriptedWorker(
    coordinator,
    dying.identity,
    room.repository,
  ).task()) as WorkflowTask;
  const agent = await startAgent(room.seams.processes, task);
  sleepers.push(agent);
  leave(task, { "process.json": processFileOf(task, agent.identity) });
  await dying.end();
  await ask("stop", { mode: "now" });
  expect(await coordinator.ended).toMatchObject({ stop_reason: "user_stop" });
  expect(room.seams.processes.liveness(agent.identity)).toBe("dead");
  expect(coordinator.state().last).toMatchObject({ outcome: "abandoned" });
});

it("kills the agent itself, and waits for the living worker's report", async () => {
  const task = (await worker.task()) as WorkflowTask;
  const agent = await startAgent(room.seams.processes, task);
  sleepers.push(agent);
  leave(task, { "process.json": processFileOf(task, agent.identity) });
  await ask("stop", { mode: "kill" });
  await until(() => room.seams.processes.liveness(agent.identity) === "dead");
  expect((await worker.finish(task, { outcome: "cancelled", orderly: false })).body).toMatchObject({
    action: "stop",
  });
  expect(coordinator.state().last).toMatchObject({ outcome: "cancelled" });
});

it("launches nothing after a pause was acknowledged, also not after a restart", async () => {
  const task = (await worker.task()) as WorkflowTask;
  expect((await ask("pause", { reason: "lunch" })).status).toBe(200);
  const held = worker.finish(task);
  await until(() => coordinator.state().iterations === 1);
  expect(coordinator.state()).toMatchObject({
    task: null,
    paused: { reason: "user", detail: "lunch" },
  });
  await coordinator.close();
  await expect(held).rejects.toThrow();

  coordinator = await room.start({ kind: "existing", sessionId: coordinator.sessionId });
  worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
  const again = worker.register();
  await until(() => coordinator.state().seat !== null);
  expect(coordinator.state()).toMatchObject({ task: null, paused: { reason: "user" } });
  await ask("resume");
  expect((await again).body).toMatchObject({ iteration: 2 });
});

it("raises limits with a resume", async () => {
  await ask("resume", {
    raise: [
      { limit: "max_iterations", add: 5 },
      { limit: "max_cost_usd", to: 3 },
    ],
  });
  expect(coordinator.state().limits).toMatchObject({ max_iterations: 45, max_cost_usd: 3 });
});

it("puts guidance into every prompt until it is disposed of", async () => {
  const first = (await worker.task()) as WorkflowTask;
  const { body } = await ask("update", { text: "Prefer the mailer" });
  const { id } = body as { id: string };
  expect(readdirSync(room.session(coordinator.sessionId).inputs)).toEqual([`${id}.json`]);
  const second = (await worker.finish(first)).body as WorkflowTask;
  expect(second.inputs).toMatchObject([{ id, text: "Prefer the mailer" }]);
  const third = (await worker.finish(second)).body as WorkflowTask;
  expect(third.inputs).toMatchObject([{ id }]);
  const report = {
    state: "valid",
    value: {
      schema_version: 1,
      attempt_id: third.attempt_id,
      summary: "Done.",
      inputs: [{ id, disposition: "applied" }],
    },
  };
  const fourth = (await worker.finish(third, {}, { report })).body as WorkflowTask;
  expect(fourth.inputs).toEqual([]);
});

it("does what a key asks for once", async () => {
  const headers = { "idempotency-key": "once-1" };
  const first = await ask("update", { text: "x" }, { headers });
  const again = await ask("update", { text: "x" }, { headers });
  expect(again.body).toEqual(first.body);
  expect(coordinator.state().inputs).toHaveLength(1);
  expect((await ask("update", { text: "y" }, { headers })).status).toBe(422);
  await coordinator.close();
  coordinator = await room.start({ kind: "existing", sessionId: coordinator.sessionId });
  expect((await ask("update", { text: "x" }, { headers })).body).toMatchObject({
    id: (first.body as { id: string }).id,
  });
  expect(coordinator.state().inputs).toHaveLength(1);
});

it("refuses a write that expected another state", async () => {
  const { seq } = coordinator.state();
  const reply = await ask("pause", { expected_seq: seq - 1 });
  expect([reply.status, (reply.body as ProblemBody).code]).toEqual([409, "STATE_MOVED"]);
  expect(coordinator.state().paused).toBeNull();
  expect((await ask("pause", { expected_seq: seq })).body).toEqual({ seq: seq + 1 });
});

it("refuses writes to another goal, without JSON, with unknown fields, and after the end", async () => {
  const other = await send(`${coordinator.url}/goals/other/stop`, {
    token: coordinator.peopleToken,
    body: {},
  });
  expect(other.status).toBe(404);
  expect((await ask("stop", {}, { headers: { "content-type": "text/plain" } })).status).toBe(415);
  expect((await ask("stop", { sudo: true })).status).toBe(422);
  expect((await ask("stop", {}, { method: "GET" })).status).toBe(405);
  const task = (await worker.task()) as WorkflowTask;
  const last = worker.finish(task, { control: claimOf(task) });
  await last;
  const after = await ask("stop");
  expect([after.status, (after.body as ProblemBody).code]).toEqual([409, "SESSION_ENDED"]);
});

it("journals a stop, a pause and a resume while no coordinator lives", async () => {
  const { sessionId } = coordinator;
  await coordinator.close();
  const offline = {
    seams: room.seams,
    runtimeRoot: room.root,
    goalId: "demo",
    sessionId,
    version: VERSION,
  };
  const paused = await commitOffline(offline, () => ({
    kind: "pause",
    pause: { reason: "user", detail: "", by: "ann" },
  }));
  expect(paused.state.paused).not.toBeNull();
  await commitOffline(offline, () => ({ kind: "resume", by: "ann", raise: [], reopen: false }));
  const stopped = await commitOffline(offline, () => ({
    kind: "stop",
    stop: { mode: "graceful", by: "ann" },
  }));
  expect(stopped.state).toMatchObject({ status: "stopped", stop_reason: "user_stop" });
  expect(existsSync(room.session(sessionId).report)).toBe(true);
  await expect(room.start({ kind: "existing", sessionId })).rejects.toMatchObject({
    code: "SESSION_ENDED",
  });

  coordinator = await room.start({
    kind: "existing",
    sessionId,
    reopen: { by: "ann", raise: [{ limit: "max_iterations", add: 2 }] },
  });
  expect(coordinator.state()).toMatchObject({ status: "running", limits: { max_iterations: 42 } });
  worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
  expect(await worker.task()).toMatchObject({ iteration: 1 });
  await expect(
    commitOffline(offline, () => ({ kind: "stop", stop: { mode: "graceful", by: "ann" } })),
  ).rejects.toMatchObject({ code: "LOCK_HELD" });
});

it("ends an orphaned agent with a hard stop while no coordinator lives", async () => {
  const dying = await startSleeper(room.seams.processes);
  sleepers.push(dying);
  const task = (await createScriptedWorker(
    coordinator,
    dying.identity,
    room.repository,
  ).task()) as WorkflowTask;
  const agent = await startAgent(room.seams.processes, task);
  sleepers.push(agent);
  leave(task, { "process.json": processFileOf(task, agent.identity) });
  await coordinator.close();
  await dying.end();
  const offline = {
    seams: room.seams,
    runtimeRoot: room.root,
    goalId: "demo",
    sessionId: coordinator.sessionId,
    version: VERSION,
  };
  const { state } = await commitOffline(offline, () => ({
    kind: "stop",
    stop: { mode: "now", by: "ann" },
  }));
  expect(state).toMatchObject({ status: "stopped", last: { outcome: "abandoned" } });
  expect(room.seams.processes.liveness(agent.identity)).toBe("dead");
});

it("asks for the end until somebody hears: a directory that comes late, a worker that dies meanwhile", async () => {
  const dying = await startSleeper(room.seams.processes);
  sleepers.push(dying);
  const first = createScriptedWorker(coordinator, dying.identity, room.repository);
  const task = (await first.task()) as WorkflowTask;
  await ask("stop", { mode: "now" });
  const agent = await startAgent(room.seams.processes, task);
  sleepers.push(agent);
  leave(task, { "process.json": processFileOf(task, agent.identity) });
  await until(() => existsSync(join(task.task_dir, "cancel.json")));
  await dying.end();
  expect(await coordinator.ended).toMatchObject({ stop_reason: "user_stop" });
  expect(room.seams.processes.liveness(agent.identity)).toBe("dead");
});

it("kills what was not started yet by being there first", async () => {
  let now = 0;
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => setTimeout(() => resolve(void (now += ms)), 1));
  const clock = { ...room.seams.clock, monotonic: () => now, sleep };
  await coordinator.close();
  coordinator = await room.start({ kind: "existing", sessionId: coordinator.sessionId }, { clock });
  worker = createScriptedWorker(coordinator, worker.identity, room.repository);
  const task = (await worker.task()) as WorkflowTask;
  await ask("stop", { mode: "kill" });
  expect(await coordinator.ended).toMatchObject({ stop_reason: "user_stop" });
  expect(readFileSync(join(task.task_dir, "process.json"), "utf8")).toContain("withdrawn");
});

it("records the result of a worker that lives without a coordinator, after a hard stop", async () => {
  const task = (await worker.task()) as WorkflowTask;
  await coordinator.close();
  leave(task, {});
  const offline = {
    seams: room.seams,
    runtimeRoot: room.root,
    goalId: "demo",
    sessionId: coordinator.sessionId,
    version: VERSION,
  };
  const stopped = commitOffline(offline, () => ({
    kind: "stop",
    stop: { mode: "now", by: "ann" },
  }));
  await until(() => existsSync(join(task.task_dir, "cancel.json")));
  const result = resultOf(task, { outcome: "cancelled", orderly: false });
  leave(task, { "result.tmp": result });
  renameSync(join(task.task_dir, "result.tmp"), join(task.task_dir, "result.json"));
  expect((await stopped).state).toMatchObject({
    status: "stopped",
    last: { outcome: "cancelled" },
    iterations: 1,
  });
});
