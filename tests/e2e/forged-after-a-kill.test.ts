import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { signalProcess } from "../crash/harness/process-table.ts";
import { until } from "../crash/harness/wait.ts";
import { expectRefused, records } from "./harness/account.ts";
import { FORGED_EXIT, FORGED_RESULT, HERE, WITHDRAWN } from "./harness/forged-documents.ts";
import { useRooms } from "./harness/rooms.ts";
import type { Scratch } from "./harness/scratch.ts";
import type { Step } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 180_000 });
const createRoom = useRooms();

describe("after the worker was killed", () => {
  /** Kills it once the agent has done what it does, and lets `run` start the next one. */
  async function killWorker(steps: readonly Step[], then: readonly Step[]): Promise<Scratch> {
    const room = await createRoom({
      plan: {
        iterations: {
          1: [
            ...steps,
            { append: "{{checkout}}/../ready", text: "" },
            { waitForFile: "{{checkout}}/../go" },
            ...then,
          ],
        },
      },
      limits: { max_iterations: 1 },
    });
    const run = room.start(["run"]);
    await until("the agent to be ready", () => existsSync(room.file("ready")));
    const [worker] = room.withRole("worker");
    if (worker === undefined) throw new Error("no worker");
    signalProcess(worker, "SIGKILL");
    await until("another worker to be seated", () => records(room, "worker_seated").length === 2);
    writeFileSync(room.file("go"), "");
    expect(await run.exited).toBe(10);
    return room;
  }

  test("a result that its agent forged doesn't stand for the end of the agent", async () => {
    const room = await killWorker(
      [FORGED_RESULT],
      [{ write: "{{checkout}}/late.txt", text: "" }, { exit: 3 }],
    );
    await expectRefused(room);
    expect(room.witnessed()).toHaveLength(1);
    expect(records(room, "task_finished")).toMatchObject([
      { outcome: "failed", exit: { code: 3 } },
    ]);
    expect(existsSync(room.source("late.txt"))).toBe(true);
  });

  test("an exit that its agent forged doesn't either", async () => {
    const room = await killWorker([FORGED_EXIT], [{ exit: 3 }]);
    await expectRefused(room);
    expect(room.witnessed()).toHaveLength(1);
    expect(records(room, "task_finished")).toMatchObject([
      { outcome: "failed", exit: { code: 3 } },
    ]);
  });

  test("a forged process.json lets nobody start a second agent beside the first", async () => {
    const room = await createRoom({
      plan: {
        iterations: {
          1: [
            { write: `${HERE}/process.json`, json: WITHDRAWN },
            { append: "{{checkout}}/../ready", text: "" },
            { waitForFile: "{{checkout}}/../never" },
          ],
        },
      },
      limits: { max_iterations: 2 },
    });
    const run = room.start(["run"]);
    await until("the agent to be ready", () => existsSync(room.file("ready")));
    const [first] = room.witnessed();
    const [worker] = room.withRole("worker");
    if (worker === undefined) throw new Error("no worker");
    signalProcess(worker, "SIGKILL");
    expect(await run.exited).toBe(10);
    await expectRefused(room);
    const attempts = room.witnessed().map(({ attempt }) => attempt);
    expect(new Set(attempts).size).toBe(attempts.length);
    expect(records(room, "task_assigned").map(({ attempt_id }) => attempt_id)).toContain(
      first?.attempt,
    );
  });

  test("a forged result of an agent that is dead with it is believed no further than its checks", async () => {
    const room = await createRoom({
      plan: {
        iterations: {
          1: [
            FORGED_RESULT,
            { append: "{{checkout}}/../ready", text: "" },
            { waitForFile: "{{checkout}}/../never" },
          ],
        },
      },
      limits: { max_iterations: 1 },
    });
    const run = room.start(["run"]);
    await until("the agent to be ready", () => existsSync(room.file("ready")));
    const [agent] = room.witnessed();
    const shim = room.session().json("iterations/0001_work/process.json") as {
      pid: number;
      start_time: string;
    };
    const worker = room.withRole("worker");
    for (const row of [
      ...worker,
      { pid: shim.pid, startTime: shim.start_time },
      { pid: agent?.pid ?? 0, startTime: (agent as unknown as { start_time: string }).start_time },
    ]) {
      signalProcess(row, "SIGKILL");
    }
    expect(await run.exited).toBe(10);
    await expectRefused(room);
    expect(records(room, "task_finished").length + records(room, "task_abandoned").length).toBe(1);
  });
});
