import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  agentStart,
  coordinatorThatDies,
  death,
  kill,
  record,
  startCoordinator,
  startWorker,
  workerThatDies,
} from "./harness/crew.ts";
import { leaveRoom } from "./harness/diagnosis.ts";
import { expectGoodEnd, sessionOf } from "./harness/ending.ts";
import { listProcesses, type Row, signalProcess } from "./harness/process-table.ts";
import { createRoom, GOAL, readWitness, type Room } from "./harness/room.ts";
import { until } from "./harness/wait.ts";

/** One test for each row of the table in docs/internals/crash-matrix.md, by the row's first column. */
describe("a crash after", { timeout: 300_000 }, () => {
  let room: Room;
  beforeEach(async () => {
    room = await createRoom();
  }, 300_000);
  afterEach(({ task }) => leaveRoom(room, task), 300_000);

  const sessions = (): string => join(room.runtimeRoot, "goals", GOAL, "sessions");

  test("session directory made, first line not synced", async () => {
    await coordinatorThatDies(room, {
      match: { name: "fsyncSync", path: "\\.creating-.*/journal\\.jsonl$" },
      n: 1,
      what: { kind: "kill" },
    });
    const left = readdirSync(sessions());
    expect(left).toHaveLength(1);
    expect(left[0]).toMatch(/^\.creating-/);
    expect((await room.call(["doctor"])).stdout).toContain(left[0]);
    await expectGoodEnd(room);
  });

  test("lock file made, no coordinator_started", async () => {
    await coordinatorThatDies(room, {
      match: { name: "linkSync", path: "/locks/coordinator\\.1$" },
      n: 1,
      what: { kind: "kill_after" },
    });
    await expectGoodEnd(room);
    expect(sessionOf(room).records("coordinator_started")[0]?.data).toMatchObject({ epoch: 2 });
  });

  test("task assigned and synced, answer not sent", async () => {
    const coordinator = await startCoordinator(room, { faults: [afterCommitOf("task_assigned")] });
    startWorker(room);
    await death(coordinator);
    const task = await record(sessionOf(room), "task_assigned");
    await startCoordinator(room);
    // The worker, which lives, asks again and gets it.
    expect((await agentStart(room)).attempt).toBe(task["attempt_id"]);
    await expectGoodEnd(room);
    expect(sessionOf(room).records("task_withdrawn")).toEqual([]);
  });

  test("answer sent, no process.json", async () => {
    await startCoordinator(room);
    await workerThatDies(room, {
      match: { path: "/0001_work/.*contract\\.json" },
      n: 1,
      what: { kind: "kill" },
    });
    const task = await record(sessionOf(room), "task_assigned");
    startWorker(room);
    const withdrawn = await record(sessionOf(room), "task_withdrawn");
    expect(withdrawn).toMatchObject({
      attempt_id: task["attempt_id"],
      iteration: 1,
      directory: "iterations/0001_work.withdrawn-1",
    });
    expect(existsSync(sessionOf(room).path("iterations/0001_work.withdrawn-1/prompt.md"))).toBe(
      true,
    );
    expect((await agentStart(room)).iteration).toBe(1);
    await expectGoodEnd(room);
  });

  test("answer sent, and not even a directory", async () => {
    await startCoordinator(room);
    await workerThatDies(room, {
      match: { name: "mkdirSync", path: "/0001_work$" },
      n: 1,
      what: { kind: "kill" },
    });
    startWorker(room);
    expect(await record(sessionOf(room), "task_withdrawn")).toMatchObject({
      iteration: 1,
      directory: null,
    });
    await expectGoodEnd(room);
  });

  test("agent running, worker dead", async () => {
    room.set("hold", true);
    await startCoordinator(room);
    const worker = startWorker(room);
    const { attempt } = await agentStart(room);
    await kill(worker);
    startWorker(room);
    await until("its adoption", () => sessionOf(room).json("iterations/0001_work/recovery.json"));
    expect(sessionOf(room).json("iterations/0001_work/recovery.json")).toMatchObject({
      action: "adopted",
      attempt_id: attempt,
    });
    room.set("hold", false);
    expect(await record(sessionOf(room), "task_finished")).toMatchObject({
      attempt_id: attempt,
      outcome: "ok",
      succeeded: true,
    });
    await expectGoodEnd(room);
  });

  test("exit.json, no sweep, no result", async () => {
    room.set("hold", true);
    room.set("litter", true);
    await startCoordinator(room);
    const worker = startWorker(room);
    const { attempt } = await agentStart(room);
    await kill(worker);
    room.set("hold", false);
    const session = sessionOf(room);
    await until("exit.json", () => existsSync(session.path("iterations/0001_work/exit.json")));
    const strays = (): number =>
      listProcesses().filter(({ environment }) => environment.includes(attempt)).length;
    expect(strays()).toBe(1);
    startWorker(room);
    expect(await record(session, "task_finished")).toMatchObject({
      attempt_id: attempt,
      outcome: "ok",
      leftovers: [{ command: expect.stringContaining("sleep") as string, ended: true }],
    });
    expect(strays()).toBe(0);
    await expectGoodEnd(room);
  });

  test("result.json, no POST", async () => {
    await startCoordinator(room);
    await workerThatDies(room, {
      match: { name: "renameSync", path: "/0001_work/result\\.json$" },
      n: 1,
      what: { kind: "kill_after" },
    });
    expect(sessionOf(room).records("task_finished")).toEqual([]);
    startWorker(room);
    expect(await record(sessionOf(room), "task_finished")).toMatchObject({
      iteration: 1,
      outcome: "ok",
      recovered: true,
    });
    await expectGoodEnd(room);
    expect(sessionOf(room).json("iterations/0001_work/recovery.json")).toMatchObject({
      action: "recovered_result",
    });
  });

  test("journal line torn", async () => {
    const coordinator = await startCoordinator(room, {
      faults: [
        {
          match: { name: "writeSync", path: "journal\\.jsonl$", content: '"task_finished"' },
          n: 1,
          what: { kind: "kill_torn", bytes: 100 },
        },
      ],
    });
    startWorker(room);
    await death(coordinator);
    const { attempt } = await agentStart(room);
    await startCoordinator(room);
    const repaired = await record(sessionOf(room), "journal_repaired");
    expect(repaired).toMatchObject({ bytes: 100 });
    // The worker repeats its report.
    expect(await record(sessionOf(room), "task_finished")).toMatchObject({
      attempt_id: attempt,
      recovered: false,
    });
    await expectGoodEnd(room);
  });

  test("commit synced, projections old", async () => {
    const coordinator = await startCoordinator(room, { faults: [afterCommitOf("task_finished")] });
    startWorker(room);
    await death(coordinator);
    const session = sessionOf(room);
    await record(session, "task_finished");
    const seq = (): number => session.json("state.json")?.["seq"] as number;
    const old = seq();
    room.set("hold", true);
    await startCoordinator(room);
    expect(seq()).toBeGreaterThan(old);
    expect(session.json("state.json")).toMatchObject({ iterations: 1 });
    await expectGoodEnd(room);
  });

  test("control taken, no result.json", async () => {
    room.set("finish", true);
    await startCoordinator(room);
    await workerThatDies(room, {
      match: { name: "renameSync", path: "/0001_work/control_taken\\.json$" },
      n: 1,
      what: { kind: "kill_after" },
    });
    expect(existsSync(sessionOf(room).path("iterations/0001_work/out/control.json"))).toBe(false);
    await expectGoodEnd(room);
    expect(sessionOf(room).records("control_accepted")).toHaveLength(1);
    expect(readWitness(room).filter(({ event }) => event === "start")).toHaveLength(1);
  });

  test("protected files replaced, no verdict", async () => {
    room.set("finish", true);
    room.set("hold", true);
    await startCoordinator(room);
    const worker = startWorker(room, {
      faults: [
        {
          match: { name: "renameSync", path: "/0001-1/receipt\\.json$" },
          n: 1,
          what: { kind: "kill" },
        },
      ],
    });
    await agentStart(room);
    const rules = join(room.repository, "protected", "rules.txt");
    writeFileSync(rules, "as the agent likes it\n");
    room.set("hold", false);
    await death(worker);
    expect(readFileSync(rules, "utf8")).toBe("as it was\n");
    await expectGoodEnd(room);
    const session = sessionOf(room);
    expect(session.records("verification_started").map(({ data }) => data["directory"])).toEqual([
      "evaluations/0000-1",
      "evaluations/0001-1",
      "evaluations/0001-2",
    ]);
    expect(session.json("evaluations/0001-2/receipt.json")).toMatchObject({ outcome: "pass" });
    expect(
      existsSync(join(dirname(session.path("evaluations/0001-1/receipt.json")), "replaced")),
    ).toBe(true);
  });

  test("nothing of its attempt is left, and how it ended was not written down", async () => {
    room.set("hold", true);
    await startCoordinator(room);
    const worker = startWorker(room);
    const { attempt } = await agentStart(room);
    const session = sessionOf(room);
    await kill(worker);
    // The shims first: one that outlives its agent writes down how that one ended.
    const isShim = (row: Row): boolean => row.arguments.some((word) => word.endsWith("/shim.mjs"));
    const rows = room.processes().filter((row) => isShim(row) || row.environment.includes(attempt));
    for (const row of rows.toSorted((a, b) => Number(isShim(b)) - Number(isShim(a))))
      signalProcess(row, "SIGKILL");
    room.set("hold", false);
    startWorker(room);
    expect(await record(session, "task_abandoned")).toMatchObject({
      attempt_id: attempt,
      iteration: 1,
      cause: "crash",
      started: true,
    });
    expect(session.json("iterations/0001_work/recovery.json")).toMatchObject({
      action: "abandoned",
    });
    expect((await agentStart(room, 2)).iteration).toBe(2);
    await expectGoodEnd(room, { mayAbandon: true });
  });
});

/** Killed when the line with this record is durable, before anybody hears of it. */
function afterCommitOf(type: string) {
  return {
    from: { name: "writeSync", path: "journal\\.jsonl$", content: `"${type}"` },
    match: { name: "fdatasyncSync", path: "journal\\.jsonl$" },
    n: 1,
    what: { kind: "kill_after" },
  } as const;
}
