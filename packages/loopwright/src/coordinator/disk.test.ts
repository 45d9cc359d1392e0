import { existsSync } from "node:fs";
import type { WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Disk, systemDisk } from "../store/disk.ts";
import { readSession } from "../control-plane/session/read-session.ts";
import type { Coordinator } from "./coordinator.ts";
import { until } from "./testing/processes.ts";
import { createRoom, type Room } from "./testing/room.ts";
import { createScriptedWorker, send } from "./testing/scripted-worker.ts";

let room: Room;
/** Free bytes of a small disk: only what grows needs any, and only the reserve gives some back. */
let space = Infinity;
beforeEach(() => {
  room = createRoom();
  space = Infinity;
});
afterEach(() => room.close());

const full = (): never => {
  throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
};

const smallDisk: Disk = {
  ...systemDisk,
  createExclusive: (path, data, options) =>
    space <= 0 ? full() : systemDisk.createExclusive(path, data, options),
  reserve: (path, bytes) => (space < bytes ? full() : systemDisk.reserve(path, bytes)),
  unlink: (path) => {
    systemDisk.unlink(path);
    if (path.endsWith("/reserve")) space += 4_000;
  },
  append(fd, data) {
    const fits = Math.min(space, data.length);
    space -= fits;
    return fits === 0 ? full() : systemDisk.append(fd, data.subarray(0, fits));
  },
};

it("pauses when the disk is full, keeps the report that a retry brings, and goes on when space returns", async () => {
  const coordinator = await room.start({}, { disk: smallDisk });
  const reserve = `${room.root}/goals/demo/reserve`;
  const worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
  const task = (await worker.task()) as WorkflowTask;
  await until(() => existsSync(reserve));
  space = 100;
  const refused = await worker.finish(task);
  expect([refused.status, refused.body]).toMatchObject([503, { code: "DISK_FULL" }]);
  expect(existsSync(reserve)).toBe(false);
  expect(coordinator.state()).toMatchObject({ paused: { reason: "disk" }, iterations: 0 });

  const held = worker.finish(task);
  await until(() => coordinator.state().iterations === 1);
  expect(coordinator.state().task).toBeNull();
  const { status, body } = await statusOf(coordinator);
  expect([status, body]).toMatchObject([
    200,
    { goals: [{ phase: "paused", attention: { count: 1, severity: "high" } }] },
  ]);

  space = Infinity;
  expect((await held).body).toMatchObject({ action: "run", iteration: 2 });
  expect(existsSync(reserve)).toBe(true);
  expect(readSession(room.session(coordinator.sessionId).directory).tornTail).toBeUndefined();
});

it("exits when a sync fails: what is on the disk is no longer known", async () => {
  let failing = false;
  const syncData = (fd: number): void => (failing ? full() : systemDisk.syncData(fd));
  const coordinator = await room.start({}, { disk: { ...systemDisk, syncData } });
  const worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
  const task = (await worker.task()) as WorkflowTask;
  failing = true;
  await expect(worker.finish(task)).rejects.toThrow();
  expect(await coordinator.ended).toMatchObject({ lost: true, error: { code: "DISK_FAILED" } });
  await expect(worker.register()).rejects.toThrow();
  await coordinator.close();
  failing = false;
  const next = await room.start({ kind: "existing", sessionId: coordinator.sessionId });
  // Whether the line got there, only the restart can tell; either way the worker's repetition heals.
  const again = createScriptedWorker(next, worker.identity, room.repository);
  expect((await again.finish(task)).body).toMatchObject({ iteration: 2 });
  expect(next.state().iterations).toBe(1);
});

it("answers with 503 and keeps everything when a write fails once", async () => {
  let failing = false;
  const append: Disk["append"] = (fd, data) => {
    if (!failing) return systemDisk.append(fd, data);
    throw Object.assign(new Error("EIO"), { code: "EIO" });
  };
  const coordinator = await room.start({}, { disk: { ...systemDisk, append } });
  const worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
  const task = (await worker.task()) as WorkflowTask;
  failing = true;
  expect(await worker.finish(task)).toMatchObject({ status: 503, body: { code: "DISK_FAILED" } });
  failing = false;
  expect((await worker.finish(task)).body).toMatchObject({ iteration: 2 });
});

function statusOf(coordinator: Coordinator) {
  return send(`${coordinator.url}/status`, { method: "GET", token: coordinator.peopleToken });
}
