import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readSession } from "../control-plane/session/read-session.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import type { Coordinator } from "./coordinator.ts";
import { until } from "./testing/processes.ts";
import { createRoom, type PlanChanges, type Room } from "./testing/room.ts";
import { createScriptedWorker, type ScriptedWorker } from "./testing/scripted-worker.ts";

let room: Room;
let coordinator: Coordinator;
let worker: ScriptedWorker;
let layout: SessionLayout;
beforeEach(() => {
  room = createRoom();
});
afterEach(() => room.close());

async function begin(changes: PlanChanges = {}): Promise<WorkflowTask> {
  coordinator = await room.start(changes);
  layout = room.session(coordinator.sessionId);
  worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
  return (await worker.task()) as WorkflowTask;
}

const asking: PlanChanges = {
  workflows: [
    { id: "outer", prompt: "Plan.", priority: 1, may_complete: true },
    { id: "review", prompt: "Review.", priority: 9, run_when_requested: true },
  ],
};

it("runs a requested workflow once for each request, and moves the request away", async () => {
  const outer = await begin(asking);
  expect(outer.workflow_id).toBe("outer");
  writeFileSync(layout.request("review"), "Please look.");
  const review = (await worker.finish(outer)).body as WorkflowTask;
  expect(review.workflow_id).toBe("review");
  const next = (await worker.finish(review)).body as WorkflowTask;
  expect(next.workflow_id).toBe("outer");
  expect(existsSync(layout.request("review"))).toBe(false);
  expect(readdirSync(layout.requestsDone)).toEqual(["0002_review.md"]);
});

it("lets a newer request survive the success of the older one", async () => {
  const outer = await begin(asking);
  writeFileSync(layout.request("review"), "Please look.");
  const review = (await worker.finish(outer)).body as WorkflowTask;
  writeFileSync(layout.request("review"), "Please look again.");
  const next = (await worker.finish(review)).body as WorkflowTask;
  expect(readFileSync(layout.request("review"), "utf8")).toBe("Please look again.");
  const again = (await worker.finish(next)).body as WorkflowTask;
  expect(again.workflow_id).toBe("review");
});

it("keeps a request for the next try when the workflow fails", async () => {
  const outer = await begin(asking);
  writeFileSync(layout.request("review"), "Please look.");
  const review = (await worker.finish(outer)).body as WorkflowTask;
  const next = (
    await worker.finish(review, { outcome: "failed", cause: "unknown", orderly: false })
  ).body as WorkflowTask;
  expect(next.workflow_id).toBe("outer");
  expect(existsSync(layout.request("review"))).toBe(true);
  expect((await worker.finish(next)).body).toMatchObject({ workflow_id: "review" });
});

it("takes neither a link nor a pipe for a request", async () => {
  const outer = await begin(asking);
  symlinkSync("/etc/passwd", layout.request("review"));
  const next = (await worker.finish(outer)).body as WorkflowTask;
  expect(next.workflow_id).toBe("outer");
  execFileSync("rm", [layout.request("review")]);
  execFileSync("mkfifo", [layout.request("review")]);
  expect((await worker.finish(next)).body).toMatchObject({ workflow_id: "outer" });
});

it("moves a consumed request that a crash left at the next start", async () => {
  const outer = await begin(asking);
  writeFileSync(layout.request("review"), "Please look.");
  const review = (await worker.finish(outer)).body as WorkflowTask;
  await coordinator.close();
  const rename = (from: string, to: string): void => {
    if (to.startsWith(layout.requestsDone)) throw new Error("crash");
    room.seams.disk.rename(from, to);
  };
  const crashing = await room.start(
    { kind: "existing", sessionId: coordinator.sessionId },
    { disk: { ...room.seams.disk, rename } },
  );
  worker = createScriptedWorker(crashing, room.seams.processes.self(), room.repository);
  expect((await worker.finish(review)).body).toMatchObject({ workflow_id: "outer" });
  expect(existsSync(layout.request("review"))).toBe(true);
  await crashing.close();
  await room.start({ kind: "existing", sessionId: coordinator.sessionId });
  expect(existsSync(layout.request("review"))).toBe(false);
});

it("journals guidance that the command line left, and passes over what is no guidance", async () => {
  const task = await begin();
  const input = (id: string): string =>
    JSON.stringify({
      schema_version: 1,
      id,
      text: `Guidance ${id}`,
      at: "2025-01-01T00:00:00.000Z",
    });
  writeFileSync(layout.input("b2"), input("b2"));
  writeFileSync(layout.input("a1"), input("a1"));
  writeFileSync(layout.input("c3"), input("not-c3"));
  writeFileSync(layout.input("d4"), "{");
  writeFileSync(join(layout.inputs, ".e5.json.tmp"), input("e5"));
  const next = (await worker.finish(task)).body as WorkflowTask;
  expect(next.inputs.map(({ id }) => id)).toEqual(["a1", "b2"]);
  writeFileSync(layout.input("d4"), input("d4"));
  const third = (await worker.finish(next)).body as WorkflowTask;
  expect(third.inputs.map(({ id }) => id)).toEqual(["a1", "b2", "d4"]);
});

it("takes a person's stop from control.json, and writes the switch anew", async () => {
  const task = await begin();
  await until(() => existsSync(layout.control));
  writeFileSync(layout.control, JSON.stringify({ state: "stopped", reason: "enough" }));
  expect((await worker.finish(task)).body).toMatchObject({
    action: "stop",
    stop_reason: "user_stop",
  });
  await coordinator.ended;
  expect(JSON.parse(readFileSync(layout.control, "utf8"))).toMatchObject({
    schema_version: 1,
    state: "stopped",
  });
});

it("judges a control that a workflow wrote there like its own", async () => {
  const task = await begin();
  const control = {
    schema_version: 1,
    attempt_id: task.attempt_id,
    state: "stopped",
    stop_reason: "goal_met",
    reason: "It works.",
  };
  writeFileSync(layout.control, JSON.stringify(control));
  expect((await worker.finish(task)).body).toMatchObject({ action: "stop", status: "goal_met" });
});

it("journals a control of another attempt as stale, and counts it for nothing", async () => {
  const task = await begin();
  const control = {
    schema_version: 1,
    attempt_id: "0".repeat(26),
    state: "stopped",
    stop_reason: "goal_met",
    reason: "Old.",
  };
  writeFileSync(layout.control, JSON.stringify(control));
  expect((await worker.finish(task)).body).toMatchObject({ action: "run", iteration: 2 });
  const records = readSession(layout.directory).lines.flatMap((line) => line.records);
  expect(records).toContainEqual(
    expect.objectContaining({
      type: "control_refused",
      data: expect.objectContaining({ verdict: "stale" }),
    }),
  );
  await until(() => readFileSync(layout.control, "utf8").includes('"running"'));
});

it("keeps its files to their owner", async () => {
  await begin();
  const modes = execFileSync("stat", [
    "-c",
    "%a",
    layout.coordinator,
    layout.directory,
    layout.journal,
  ])
    .toString()
    .trim()
    .split("\n");
  expect(modes).toEqual(["600", "700", "600"]);
});

it("takes a person's edit of the switch, and not its own old text", async () => {
  const task = await begin();
  await until(() => existsSync(layout.control));
  writeFileSync(
    layout.control,
    readFileSync(layout.control, "utf8").replace('"state": "running"', '"state": "stopped"'),
  );
  expect((await worker.finish(task)).body).toMatchObject({
    action: "stop",
    stop_reason: "user_stop",
  });
  await coordinator.close();
  const reopened = await room.start({
    kind: "existing",
    sessionId: coordinator.sessionId,
    reopen: { by: "ann", raise: [] },
  });
  worker = createScriptedWorker(reopened, room.seams.processes.self(), room.repository);
  expect(await worker.task()).toMatchObject({ iteration: 2 });
});
