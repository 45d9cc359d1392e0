import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { ProcessIdentity } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../seams/clock.ts";
import type { AttemptProcess } from "./attempt-process.ts";
import type { Order } from "./order.ts";
import { createCompany } from "./company.ts";
import { sweepAttempt } from "./sweep.ts";
import { type AttemptRoom, createAttemptRoom } from "./testing/attempt-room.ts";

let room: AttemptRoom;
beforeEach(() => {
  room = createAttemptRoom();
});
afterEach(() => room.close());

const ended = async (steps: object[]): Promise<{ order: Order; attempt: AttemptProcess }> => {
  const order = room.agent(steps);
  const attempt = await room.start(order);
  await attempt.exited;
  return { order, attempt };
};

const sweep = (
  { order, attempt }: { order: Order; attempt: AttemptProcess },
  strayed: readonly ProcessIdentity[] = [],
): ReturnType<typeof sweepAttempt> =>
  sweepAttempt({
    strayed,
    processes: room.processes,
    clock: systemClock,
    marker: order.attemptId,
    shim: attempt.shim,
    seenAlive: true,
    grace: 300,
  });

it("finds nothing after an agent that cleaned up", async () => {
  expect(await sweep(await ended([{ print: "done" }]))).toEqual([]);
});

it("names a server that was left listening, ends it and frees its port", async () => {
  const spawn = { setsid: true, listen: 0, portFile: "port", pidFile: "child" };
  const leftovers = await sweep(await ended([{ spawn }]));
  const port = Number(room.read("port"));
  expect(leftovers).toEqual([
    {
      pid: await room.pid("child"),
      command: expect.stringContaining("fake-agent.mjs"),
      ports: [port],
      ended: true,
    },
  ]);
  const server = createServer();
  await new Promise<void>((resolve, reject) =>
    server.once("error", reject).listen(port, "127.0.0.1", resolve),
  );
  server.close();
});

it("ends a daemon that ignores TERM", async () => {
  const leftovers = await sweep(
    await ended([{ spawn: { doubleFork: true, ignoreTerm: true, pidFile: "child" } }]),
  );
  const pid = await room.pid("child");
  expect(leftovers.find((row) => row.pid === pid)).toMatchObject({ ended: true });
  expect(room.processes.identity(pid)).toBeUndefined();
});

it("finds a child without the marker through the group of a shim that the caller had seen alive", async () => {
  const leftovers = await sweep(await ended([{ spawn: { cleanEnv: true, pidFile: "child" } }]));
  expect(leftovers).toMatchObject([{ pid: await room.pid("child"), ended: true }]);
});

it("ends what dropped the marker and left group and session, once it was seen with its parents", async () => {
  const spawn = { setsid: true, cleanEnv: true, ignoreTerm: true, pidFile: "child" };
  const order = room.agent([{ spawn }, { waitForFile: "go" }]);
  const attempt = await room.start(order);
  const pid = await room.pid("child");
  const company = createCompany(room.processes, attempt.shim);
  company.look();
  writeFileSync(room.path("go"), "");
  await attempt.exited;
  expect(await sweep({ order, attempt }, company.strayed())).toMatchObject([{ pid, ended: true }]);
  expect(room.processes.identity(pid)).toBeUndefined();
  company.look();
  expect(company.strayed()).toEqual([]);
});
