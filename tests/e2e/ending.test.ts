import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { signalProcess } from "../crash/harness/process-table.ts";
import type { Program } from "../crash/harness/program.ts";
import { until } from "../crash/harness/wait.ts";
import { accountOf, journalOf, records } from "./harness/account.ts";
import { useRooms } from "./harness/rooms.ts";
import type { Scratch } from "./harness/scratch.ts";
import { strayAgent, straysOf } from "./harness/strays.ts";

vi.setConfig({ testTimeout: 180_000 });
const createRoom = useRooms();

/** When the end of the only iteration was written down; by then nothing of it may have done anything any more. */
async function endedAt(room: Scratch): Promise<number> {
  const strays = straysOf(room);
  const line = await until("the end of the iteration to be recorded", () =>
    journalOf(room).lines.find((each) =>
      each.records.some(({ type }) => type === "task_finished" || type === "task_abandoned"),
    ),
  );
  expect(strays.living()).toEqual([]);
  const at = Date.parse((line as unknown as { at: string }).at);
  expect(strays.lastTick()).toBeLessThanOrEqual(at);
  return at;
}

async function running(room: Scratch): Promise<Program> {
  const run = room.start(["run"]);
  await straysOf(room).ready();
  return run;
}

describe("children of every kind, all ignoring TERM, are gone before it is recorded that the agent", () => {
  test("timed out", async () => {
    const room = await createRoom({
      agent: strayAgent("chatter"),
      limits: { max_iterations: 1, iteration_timeout: "12s" },
    });
    const run = await running(room);
    await endedAt(room);
    expect(await run.exited).toBe(10);
    expect(records(room, "task_finished")).toMatchObject([
      { outcome: "timed_out", orderly: false, succeeded: false },
    ]);
    const { show } = await accountOf(room);
    expect(show.stdout).toMatch(/timed_out/);
  });

  test("was silent for too long", async () => {
    const room = await createRoom({
      agent: strayAgent("stay"),
      limits: { max_iterations: 1, silence_timeout: "12s" },
    });
    const run = await running(room);
    await endedAt(room);
    expect(await run.exited).toBe(10);
    expect(records(room, "task_finished")).toMatchObject([
      { outcome: "silent", orderly: false, succeeded: false },
    ]);
    await accountOf(room);
  });

  test("ended by itself", async () => {
    const room = await createRoom({ agent: strayAgent("exit"), limits: { max_iterations: 1 } });
    const run = await running(room);
    await endedAt(room);
    expect(await run.exited).toBe(10);
    const [finished] = records(room, "task_finished");
    expect(finished).toMatchObject({ outcome: "ok", exit: { code: 0 } });
    expect(
      finished?.["leftovers"].filter(({ ended }: { ended: boolean }) => ended).length,
    ).toBeGreaterThanOrEqual(5);
    await accountOf(room);
  });

  for (const flag of ["--now", "--kill"]) {
    test(`was cancelled by stop ${flag}`, async () => {
      const room = await createRoom({ agent: strayAgent("stay") });
      const run = await running(room);
      const stop = await room.call(["stop", flag, "--reason", "enough"]);
      expect({ code: stop.code, stderr: stop.stderr }).toEqual({ code: 0, stderr: "" });
      await endedAt(room);
      expect(await run.exited).toBe(10);
      expect(records(room, "task_finished")).toMatchObject([{ outcome: "cancelled" }]);
      const { goal } = await accountOf(room);
      expect(goal).toMatchObject({ status: "stopped", stop_reason: "user_stop" });
    });
  }

  test("was cancelled by two Ctrl-C", async () => {
    const room = await createRoom({ agent: strayAgent("stay") });
    const run = await running(room);
    signalProcess(run, "SIGINT");
    await until("the first to be taken", () => records(room, "stop_requested").length === 1);
    expect(straysOf(room).living()).toHaveLength(5);
    signalProcess(run, "SIGINT");
    await endedAt(room);
    expect(await run.exited).toBe(10);
    expect(records(room, "task_finished")).toMatchObject([{ outcome: "cancelled" }]);
    await accountOf(room);
  });
});

describe("a stop reaches an agent whose worker", () => {
  test("is dead, while its coordinator lives", async () => {
    const room = await createRoom({ agent: strayAgent("stay") });
    const run = await running(room);
    // `run` would start another worker, which takes the agent up.
    signalProcess(run, "SIGKILL");
    for (const worker of room.withRole("worker")) signalProcess(worker, "SIGKILL");
    await until("the worker to be dead", () => room.withRole("worker").length === 0);
    const stop = await room.call(["stop", "--now"]);
    expect(stop.code).toBe(0);
    await endedAt(room);
    const { goal } = await accountOf(room);
    expect(goal).toMatchObject({ status: "stopped", stop_reason: "user_stop" });
  });

  test("is dead with its coordinator, by whoever asks for it", async () => {
    const room = await createRoom({ agent: strayAgent("stay") });
    const run = await running(room);
    for (const row of [run, ...room.withRole("worker"), ...room.withRole("coordinator")])
      signalProcess(row, "SIGKILL");
    await until(
      "both to be dead",
      () => room.withRole("worker").length + room.withRole("coordinator").length === 0,
    );
    const stop = await room.call(["stop", "--kill"]);
    expect(stop.code).toBe(0);
    await endedAt(room);
    const { goal } = await accountOf(room);
    expect(goal).toMatchObject({ status: "stopped", stop_reason: "user_stop" });
  });

  test("is frozen: --kill ends it all without the worker, and run comes back", async () => {
    const room = await createRoom({ agent: strayAgent("stay") });
    const run = await running(room);
    const [worker] = room.withRole("worker");
    if (worker === undefined) throw new Error("no worker");
    signalProcess(worker, "SIGSTOP");
    const stop = await room.call(["stop", "--kill"]);
    expect(stop.code).toBe(0);
    await endedAt(room);
    expect(await run.exited).toBe(10);
    const { goal } = await accountOf(room);
    expect(goal).toMatchObject({ status: "stopped", stop_reason: "user_stop" });
  });
});

test("an agent that deletes or replaces the way to its coordinator can be stopped all the same", async () => {
  const room = await createRoom({
    plan: {
      steps: [
        { rm: "{{session}}/coordinator.json" },
        { mkdir: "{{session}}/coordinator.json/x" },
        { append: "{{checkout}}/../gone", text: "" },
        { sleep: 300_000 },
      ],
    },
  });
  const run = room.start(["run"]);
  await until("the agent to have done it", () => existsSync(room.file("gone")));
  await until("the way to be there again", () => room.session().json("coordinator.json"));
  const stop = await room.call(["stop", "--now"]);
  expect({ code: stop.code, stderr: stop.stderr }).toEqual({ code: 0, stderr: "" });
  expect(await run.exited).toBe(10);
  await accountOf(room);
});

test("a graceful stop lets the agent finish, and says how long it waits", async () => {
  const room = await createRoom({
    plan: {
      steps: [
        { append: "{{project_state}}/started", text: "" },
        { waitForFile: "{{project_state}}/go" },
      ],
    },
  });
  const run = room.start(["run"]);
  const started = await until("the agent to run", () => room.witnessed()[0]);
  const stop = await room.call(["stop", "--reason", "lunch"]);
  expect(stop.stdout).toMatch(/after this iteration/);
  expect((await room.call(["status"])).stdout).toMatch(/stop\s+asked for \(graceful\) .* ago/);
  writeFileSync(room.session().path("project_state/go"), "");
  expect(await run.exited).toBe(10);
  expect(room.witnessed()).toEqual([started]);
  expect(records(room, "task_finished")).toMatchObject([{ outcome: "ok", succeeded: true }]);
  const { goal } = await accountOf(room);
  expect(goal).toMatchObject({ status: "stopped", stop_reason: "user_stop" });
});
