import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { RecordData, RecordType, VerificationTask, WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readSession } from "../../control-plane/session/read-session.ts";
import type { Coordinator } from "../coordinator.ts";
import { checkOf } from "../testing/checks.ts";
import {
  processFileOf,
  startAgent as startAgentOf,
  startSleeper,
  type Sleeper,
  until,
} from "../testing/processes.ts";
import { createRoom, type Room } from "../testing/room.ts";
import {
  createScriptedWorker,
  leave,
  receiptOf,
  resultOf,
  type ScriptedWorker,
} from "../testing/scripted-worker.ts";

let room: Room;
let dying: Sleeper;
const sleepers: Sleeper[] = [];
beforeEach(async () => {
  room = createRoom();
  dying = await startSleeper(room.seams.processes);
});
afterEach(async () => {
  await Promise.all([dying, ...sleepers.splice(0)].map((each) => each.end()));
  await room.close();
});

const workerOf = (
  coordinator: Coordinator,
  identity = room.seams.processes.self(),
): ScriptedWorker => createScriptedWorker(coordinator, identity, room.repository);

const reopen = (coordinator: Coordinator): Promise<Coordinator> =>
  room.start({ kind: "existing", sessionId: coordinator.sessionId });

function recordsOf<T extends RecordType>(coordinator: Coordinator, type: T): RecordData<T>[] {
  const { lines } = readSession(room.session(coordinator.sessionId).directory);
  return lines.flatMap(({ records }) =>
    records.flatMap((record) => (record.type === type ? [record.data as RecordData<T>] : [])),
  );
}

/** A session whose worker got the first task of this and is to die. */
async function assigned(changes = {}): Promise<{ coordinator: Coordinator; task: WorkflowTask }> {
  const coordinator = await room.start(changes);
  return {
    coordinator,
    task: (await workerOf(coordinator, dying.identity).task()) as WorkflowTask,
  };
}

async function startAgent(task: { attempt_id: string }): Promise<Sleeper> {
  const agent = await startAgentOf(room.seams.processes, task);
  sleepers.push(agent);
  return agent;
}

function exitFile(task: { attempt_id: string }): object {
  return {
    schema_version: 1,
    attempt_id: task.attempt_id,
    code: 0,
    signal: null,
    finished_at: "2025-01-01T00:00:00.000Z",
  };
}

it("ignores the half-made directory of a session", async () => {
  const { directory } = room.session("20250101T000000Z-aaaaaaaaaaaa");
  mkdirSync(join(dirname(directory), ".creating-0123"), { recursive: true });
  const { task } = await assigned();
  expect(task.iteration).toBe(1);
});

it("takes the next epoch where a lock has no line", async () => {
  const { coordinator } = await assigned();
  await coordinator.close();
  const locks = join(room.root, "goals", "demo", "locks");
  const lock = JSON.parse(readFileSync(join(locks, "coordinator.1"), "utf8")) as object;
  await dying.end();
  writeFileSync(
    join(locks, "coordinator.2"),
    JSON.stringify({ ...lock, epoch: 2, holder: dying.identity }),
  );
  expect((await reopen(coordinator)).epoch).toBe(3);
});

it("gives a living seat its task again after a coordinator's end, and takes its report of before", async () => {
  const { coordinator, task } = await assigned();
  await coordinator.close();
  const next = await reopen(coordinator);
  const worker = workerOf(next, dying.identity);
  expect(await worker.task()).toEqual(task);
  expect((await worker.finish(task)).body).toMatchObject({ action: "run", iteration: 2, epoch: 2 });
});

it("withdraws what never started: the directory makes room and the number is used again", async () => {
  const { coordinator, task } = await assigned();
  leave(task, { "prompt.md": "Work." });
  await dying.end();
  const next = (await workerOf(coordinator).task()) as WorkflowTask;
  expect(next).toMatchObject({ iteration: 1, adopt: false });
  expect(next.attempt_id).not.toBe(task.attempt_id);
  expect(readFileSync(join(`${task.task_dir}.withdrawn-1`, "process.json"), "utf8")).toContain(
    "withdrawn",
  );
  expect(existsSync(task.task_dir)).toBe(false);
  expect(recordsOf(coordinator, "task_withdrawn")).toEqual([
    {
      kind: "workflow",
      attempt_id: task.attempt_id,
      iteration: 1,
      directory: "iterations/0001_work.withdrawn-1",
    },
  ]);
});

it("finishes a withdrawal that a crash interrupted before its commit", async () => {
  const { coordinator, task } = await assigned();
  leave(task, {
    "process.json": {
      schema_version: 1,
      withdrawn: true,
      withdrawn_at: "2025-01-01T00:00:00.000Z",
    },
  });
  await coordinator.close();
  await dying.end();
  const next = await reopen(coordinator);
  await until(() => next.state().task === null);
  expect(existsSync(`${task.task_dir}.withdrawn-1`)).toBe(true);
  expect(await workerOf(next).task()).toMatchObject({ iteration: 1 });
});

it("lets the next worker adopt an agent that outlived its worker", async () => {
  const { coordinator, task } = await assigned();
  const agent = await startAgent(task);
  leave(task, { "process.json": processFileOf(task, agent.identity) });
  await dying.end();
  const worker = workerOf(coordinator);
  const adopted = (await worker.task()) as WorkflowTask;
  expect(adopted).toEqual({ ...task, adopt: true });
  expect(JSON.parse(readFileSync(join(task.task_dir, "recovery.json"), "utf8"))).toMatchObject({
    action: "adopted",
  });
  await agent.end();
  expect((await worker.finish(adopted)).body).toMatchObject({ iteration: 2 });
});

it("lets the next worker adopt what has ended with its exit on record", async () => {
  const { coordinator, task } = await assigned();
  leave(task, { "process.json": processFileOf(task, dying.identity), "exit.json": exitFile(task) });
  await dying.end();
  expect(await workerOf(coordinator).task()).toEqual({ ...task, adopt: true });
});

it("records a stored result exactly like one that was reported", async () => {
  const { coordinator, task } = await assigned();
  const text = JSON.stringify(resultOf(task));
  leave(task, {
    "process.json": processFileOf(task, dying.identity),
    "exit.json": exitFile(task),
    "result.json": text,
  });
  await coordinator.close();
  await dying.end();
  const next = await reopen(coordinator);
  await until(() => next.state().iterations === 1);
  expect(recordsOf(next, "task_finished")).toMatchObject([
    {
      recovered: true,
      succeeded: true,
      result_sha256: createHash("sha256").update(text).digest("hex"),
    },
  ]);
  expect(await workerOf(next).task()).toMatchObject({ iteration: 2 });
});

it("believes no result while the agent runs", async () => {
  const { coordinator, task } = await assigned();
  const agent = await startAgent(task);
  leave(task, {
    "process.json": processFileOf(task, agent.identity),
    "exit.json": exitFile(task),
    "result.json": resultOf(task),
  });
  await dying.end();
  expect(await workerOf(coordinator).task()).toEqual({ ...task, adopt: true });
  expect(coordinator.state().iterations).toBe(0);
});

it("believes no result of another attempt", async () => {
  const { coordinator, task } = await assigned();
  leave(task, {
    "process.json": processFileOf(task, dying.identity),
    "result.json": resultOf(task, { attempt_id: "0".repeat(26) }),
  });
  await dying.end();
  expect(await workerOf(coordinator).task()).toMatchObject({ iteration: 2 });
  expect(recordsOf(coordinator, "task_abandoned")).toHaveLength(1);
});

it("abandons what died without a word, and ends what is left of it first", async () => {
  const { coordinator, task } = await assigned();
  const stray = await startAgent(task);
  // Its shim is dead and its own process record names nothing that lives; only the marker finds the stray.
  leave(task, { "process.json": "{}" });
  await dying.end();
  expect(await workerOf(coordinator).task()).toMatchObject({ iteration: 2 });
  expect(room.seams.processes.liveness(stray.identity)).toBe("dead");
  expect(recordsOf(coordinator, "task_abandoned")).toMatchObject([
    { iteration: 1, cause: "crash", started: true },
  ]);
  expect(JSON.parse(readFileSync(join(task.task_dir, "recovery.json"), "utf8"))).toMatchObject({
    action: "abandoned",
    ended: expect.arrayContaining([expect.objectContaining({ pid: stray.identity.pid })]),
    survivors: [],
  });
});

it("starts nothing while leftovers may still run", async () => {
  const { coordinator, task } = await assigned();
  await coordinator.close();
  const stray = await startAgent(task);
  leave(task, { "process.json": "{}" });
  await dying.end();
  let now = 0;
  const clock = {
    ...room.seams.clock,
    monotonic: () => now,
    sleep: (ms: number) =>
      new Promise<void>((resolve) => setTimeout(() => resolve(void (now += ms)), 1)),
  };
  const processes = { ...room.seams.processes, signal: () => true, signalGroup: () => true };
  const next = await room.start(
    { kind: "existing", sessionId: coordinator.sessionId },
    { clock, processes },
  );
  const refused = await workerOf(next).register();
  expect(refused).toMatchObject({ status: 409, body: { code: "LEFTOVERS_ALIVE" } });
  expect(next.state().task?.attempt_id).toBe(task.attempt_id);
  await stray.end();
  expect(await workerOf(next).task()).toMatchObject({ iteration: 2 });
});

it("cuts a torn line, says so, and goes on", async () => {
  const { coordinator } = await assigned();
  await coordinator.close();
  appendFileSync(room.session(coordinator.sessionId).journal, '{"seq":9,"at":"2025');
  const next = await reopen(coordinator);
  expect(recordsOf(next, "journal_repaired")).toMatchObject([{ bytes: 19 }]);
  expect(await workerOf(next, dying.identity).task()).toMatchObject({ iteration: 1 });
});

it("writes the projections anew from the fold", async () => {
  const { coordinator } = await assigned();
  await coordinator.close();
  const layout = room.session(coordinator.sessionId);
  writeFileSync(layout.state, "nonsense");
  rmSync(layout.control);
  const next = await reopen(coordinator);
  expect(JSON.parse(readFileSync(layout.state, "utf8"))).toMatchObject({ seq: next.state().seq });
  expect(JSON.parse(readFileSync(layout.control, "utf8"))).toMatchObject({ state: "running" });
});

it("records the receipt of a verification whose worker died, and repeats one without", async () => {
  const checks = [checkOf("tests")];
  const coordinator = await room.start({ checks });
  const baseline = (await workerOf(coordinator, dying.identity).task()) as VerificationTask;
  expect(baseline).toMatchObject({ kind: "baseline", task_dir: expect.stringMatching(/0000-1$/) });
  await dying.end();
  dying = await startSleeper(room.seams.processes);
  const again = (await workerOf(coordinator, dying.identity).task()) as VerificationTask;
  expect(again).toMatchObject({ kind: "baseline", task_dir: expect.stringMatching(/0000-2$/) });
  leave(again, { "receipt.json": receiptOf(again, { tests: "fail" }) });
  await dying.end();
  expect(await workerOf(coordinator).task()).toMatchObject({ kind: "workflow", iteration: 1 });
  expect(recordsOf(coordinator, "verification_finished")).toMatchObject([
    { recovered: true, receipt: { outcome: "fail" } },
  ]);
  expect(recordsOf(coordinator, "task_abandoned")).toMatchObject([{ kind: "verification" }]);
});
