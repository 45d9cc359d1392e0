import { readFileSync, writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { signalProcess } from "../crash/harness/process-table.ts";
import { until } from "../crash/harness/wait.ts";
import { accountOf, records } from "./harness/account.ts";
import { useRooms } from "./harness/rooms.ts";
import { CLAIM, DONE, report } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 180_000 });
const createRoom = useRooms();

const WAITS = { steps: [{ waitForFile: "{{checkout}}/../go" }, DONE, report(), CLAIM] };

test("a session has one coordinator and one worker: others are refused by name while they live, and welcome after", async () => {
  const room = await createRoom({ plan: WAITS });
  const coordinator = room.start(["coordinator"]);
  await until("the session to be served", () => coordinator.stdout().includes("is served at"));
  const worker = room.start(["worker"]);
  await until("the agent to run", () => room.witnessed().length === 1);

  const rival = await room.call(["coordinator"]);
  expect(rival.code).toBe(3);
  expect(rival.stderr).toMatch(/already has a coordinator.*\n?hint: /);
  const second = await room.call(["worker"]);
  expect(second.code).toBe(3);
  expect(second.stderr).toMatch(
    new RegExp(
      `A worker is at it: process ${worker.pid} on .*, in iteration 1 \\(SEAT_TAKEN\\)\nhint: `,
    ),
  );

  signalProcess(worker, "SIGKILL");
  await worker.exited;
  const heir = room.start(["worker"]);
  await until("the heir to be seated", () => records(room, "worker_seated").length === 2);
  signalProcess(coordinator, "SIGKILL");
  await coordinator.exited;
  const successor = room.start(["coordinator"]);
  await until("the successor to serve", () => successor.stdout().includes("is served at"));
  writeFileSync(room.file("go"), "");
  expect([await heir.exited, await successor.exited]).toEqual([0, 0]);

  expect(room.witnessed()).toHaveLength(1);
  expect(records(room, "task_finished")).toHaveLength(1);
  const { goal, verify } = await accountOf(room);
  expect(goal).toMatchObject({ status: "goal_met", verified: true });
  expect(verify.stdout).toMatch(/everything agrees/);
});

test("after pause is acknowledged nothing starts, also when everything was killed and started again, until resume", async () => {
  const room = await createRoom({
    plan: {
      iterations: {
        1: [{ waitForFile: "{{checkout}}/../go" }, report()],
        2: [DONE, report(), CLAIM],
      },
    },
  });
  const coordinator = room.start(["coordinator"]);
  await until("the session to be served", () => coordinator.stdout().includes("is served at"));
  const worker = room.start(["worker"]);
  await until("the agent to run", () => room.witnessed().length === 1);
  expect((await room.call(["pause", "--reason", "lunch"])).code).toBe(0);
  writeFileSync(room.file("go"), "");
  await until("the iteration to end", () => records(room, "task_finished").length === 1);
  for (const program of [coordinator, worker]) signalProcess(program, "SIGKILL");
  await Promise.all([coordinator.exited, worker.exited]);

  // A coordinator alone lifts no pause; only `run` and `resume` say that somebody wants it to go on.
  const again = room.start(["coordinator"]);
  await until("it to be served again", () => again.stdout().includes("is served at"));
  const other = room.start(["worker"]);
  await until("the other worker to be seated", () => records(room, "worker_seated").length === 2);
  const status = await room.call(["status", "--json"]);
  expect(JSON.parse(status.stdout)).toMatchObject({
    goals: [{ phase: "paused", attention: { count: 1 } }],
  });
  expect(room.witnessed()).toHaveLength(1);

  expect((await room.call(["resume"])).code).toBe(0);
  expect([await other.exited, await again.exited]).toEqual([0, 0]);
  expect(room.witnessed()).toHaveLength(2);
  const { goal } = await accountOf(room);
  expect(goal).toMatchObject({ status: "goal_met" });
});

test("guidance stands in every prompt until a succeeded iteration disposes of it", async () => {
  const input = (disposition: string) => report({ inputs: [{ id: "{{env.INPUT}}", disposition }] });
  const room = await createRoom({
    plan: { iterations: { 1: [{ waitForFile: "{{checkout}}/../go" }, report()] } },
    limits: { max_iterations: 5, no_progress_after: null },
  });
  const run = room.start(["run"]);
  await until("the agent to run", () => room.witnessed().length === 1);
  const given = await room.call(["update", "Prefer", "the existing mailer", "--json"]);
  const { id } = JSON.parse(given.stdout) as { id: string };
  const disposes = JSON.parse(
    JSON.stringify(input("applied")).replace("{{env.INPUT}}", id),
  ) as ReturnType<typeof report>;
  room.plan({
    iterations: { 2: [report()], 3: [disposes, { exit: 1 }], 4: [disposes], 5: [report()] },
  });
  writeFileSync(room.file("go"), "");
  expect(await run.exited).toBe(10);
  const prompt = (n: number): string =>
    readFileSync(room.session().path("iterations", `000${n}_work`, "prompt.md"), "utf8");
  expect([1, 2, 3, 4, 5].map((n) => prompt(n).includes("Prefer the existing mailer"))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(records(room, "input_disposed")).toMatchObject([
    { id, iteration: 4, disposition: "applied" },
  ]);
  await accountOf(room);
});
