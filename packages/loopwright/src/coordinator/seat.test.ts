import type { ProblemBody, WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startSleeper, type Sleeper, until } from "./testing/processes.ts";
import { createRoom, type Room } from "./testing/room.ts";
import { createScriptedWorker, leave, type ScriptedWorker } from "./testing/scripted-worker.ts";
import type { Coordinator } from "./coordinator.ts";

let room: Room;
let first: Sleeper;
beforeEach(async () => {
  room = createRoom();
  first = await startSleeper(room.seams.processes);
});
afterEach(async () => {
  await first.end();
  await room.close();
});

const workerAs = (coordinator: Coordinator, sleeper: { identity: ScriptedWorker["identity"] }) =>
  createScriptedWorker(coordinator, sleeper.identity, room.repository);

it("refuses a second worker while the first lives, and welcomes it after its death", async () => {
  const coordinator = await room.start();
  const task = await workerAs(coordinator, first).task();
  const second = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
  const refused = await second.register();
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ code: "SEAT_TAKEN", iteration: 1, holder: first.identity });
  expect((refused.body as ProblemBody).detail).toContain(String(first.identity.pid));

  await first.end();
  const welcome = (await second.task()) as WorkflowTask;
  expect(coordinator.state().seat).toEqual(second.identity);
  // It never started, so its number is used again with another attempt.
  expect(welcome).toMatchObject({ iteration: 1, adopt: false });
  expect(welcome.attempt_id).not.toBe(task.attempt_id);
});

it("gives the seat its live task as often as it asks", async () => {
  const coordinator = await room.start();
  const worker = workerAs(coordinator, first);
  const task = await worker.task();
  expect(await worker.task()).toEqual(task);
  expect(await worker.task()).toEqual(task);
});

it("lets a newer connection of the same worker replace the older one", async () => {
  const coordinator = await room.start();
  await send(coordinator, "pause");
  const worker = workerAs(coordinator, first);
  const older = worker.register();
  await until(() => coordinator.state().seat !== null);
  const newer = worker.register();
  await expect(older).rejects.toThrow();
  await send(coordinator, "resume");
  expect((await newer).body).toMatchObject({ action: "run", iteration: 1 });
});

it("needs silence and a person's word for a seat of which nothing can be said", async () => {
  let now = 0;
  const clock = { ...room.seams.clock, monotonic: () => now };
  const coordinator = await room.start({ configuration: { takeover_after: 60_000 } }, { clock });
  const elsewhere = { ...first.identity, host: "elsewhere", pid_namespace: "pid:[1]" };
  const task = await workerAs(coordinator, { identity: elsewhere }).task();
  leave(task, {});
  const second = workerAs(coordinator, first);
  expect((await second.register()).body).toMatchObject({ code: "SEAT_UNKNOWN" });
  expect((await second.register({ take_over: true })).body).toMatchObject({ code: "SEAT_UNKNOWN" });
  now += 60_000;
  expect((await second.register()).body).toMatchObject({ code: "SEAT_UNKNOWN" });
  // What ran there is given up, and counts.
  expect((await second.register({ take_over: true })).body).toMatchObject({
    action: "run",
    iteration: 2,
  });
});

it("assigns nothing to a worker that has hung up", async () => {
  const coordinator = await room.start();
  await send(coordinator, "pause");
  const hangUp = new AbortController();
  const worker = workerAs(coordinator, first);
  const held = worker.post("/register", registration(worker), { signal: hangUp.signal });
  await until(() => coordinator.state().seat !== null);
  hangUp.abort();
  await expect(held).rejects.toThrow();
  await send(coordinator, "resume");
  expect(coordinator.state().task).toBeNull();
  expect(await worker.task()).toMatchObject({ iteration: 1 });
});

function registration(worker: ScriptedWorker): object {
  return {
    protocol: 1,
    program_version: "0.1.0",
    worker: worker.identity,
    repo: { root: room.repository, head: null },
  };
}

async function send(coordinator: Coordinator, what: "pause" | "resume"): Promise<void> {
  const { peopleToken: token } = coordinator;
  const reply = await createScriptedWorker(coordinator, first.identity, "").post(
    `/goals/demo/${what}`,
    {},
    { token },
  );
  expect(reply.status).toBe(200);
}
