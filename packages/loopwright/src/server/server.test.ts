import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Coordinator } from "../coordinator/coordinator.ts";
import { until } from "../coordinator/testing/processes.ts";
import { createScriptedWorker, leave, send } from "../coordinator/testing/scripted-worker.ts";
import { READ_TOKEN, type Serving, startServing } from "./testing/serving.ts";

let serving: Serving;
let coordinator: Coordinator;
beforeEach(async () => {
  serving = await startServing(["demo", "other"]);
  coordinator = await serving.room.start();
});
afterEach(() => serving.close());

const session = (rest = ""): string => `/sessions/${coordinator.sessionId}${rest}`;
const body = async <T = unknown>(path: string): Promise<T> => (await serving.get(path)).body as T;

/** One finished iteration and a live one. */
async function work(): Promise<WorkflowTask> {
  const { room } = serving;
  const worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
  const task = (await worker.task()) as WorkflowTask;
  leave(task, {
    "prompt.md": "Do it with the token ghp_0123456789abcdefghijABCDEFGHIJ012345.",
    "changes.json": { schema_version: 1, files: [{ path: "a.txt" }] },
    "output.log": "",
  });
  writeFileSync(join(task.task_dir, "output.log"), "first\nsecond\nthird line\n");
  return (await worker.finish(task, { cost_usd: 0.25 })).body as WorkflowTask;
}

it("shows all goals of the registry, also one without a session", async () => {
  await work();
  const status = await body("/status");
  expect(status).toMatchObject({
    goals: [
      { id: "demo", title: "Goal demo", phase: "executing", iteration: 2, cost_usd: 0.25 },
      { id: "other", phase: null, session_id: null },
    ],
    totals: { goals: 2, by_phase: { executing: 1, none: 1 } },
  });
  expect(await body("/goals/demo")).toMatchObject({ sessions: [coordinator.sessionId] });
  expect(await body("/goals?after=demo")).toMatchObject({ goals: [{ id: "other" }], next: null });
  expect(await body("/goals?limit=1")).toMatchObject({ goals: [{ id: "demo" }], next: "demo" });
  expect((await serving.get("/goals/none")).status).toBe(404);
});

it("pages through a session, and so does its coordinator, with the same words", async () => {
  await work();
  for (const rest of [
    "",
    "/iterations",
    "/iterations/1",
    "/iterations/1/log?tail=1",
    "/iterations/1/prompt",
    "/iterations/1/changes",
    "/iterations/1/transcript",
    "/iterations/1/diff?file=a.txt",
    "/explain",
    "/checks",
    "/timeline?all=1",
  ]) {
    const ours = await serving.get(session(rest));
    const theirs = await send(coordinator.url + session(rest), {
      token: coordinator.peopleToken,
      method: "GET",
      body: undefined,
    });
    expect([rest, ours.status]).toEqual([rest, 200]);
    expect(ours.body).toEqual(theirs.body);
  }
  expect(await body(session("/iterations"))).toMatchObject({
    iterations: [
      { iteration: 1, state: "finished", cost_usd: 0.25, summary: "Iteration 1 did its part." },
      { iteration: 2, state: "running", cost_usd: null },
    ],
    next: null,
  });
  expect(await body(session("/iterations/1/log?tail=1"))).toMatchObject({ text: "third line\n" });
  expect(await body(session("/iterations/1/log?offset=6&limit=6"))).toMatchObject({
    text: "second",
    next_offset: 12,
  });
  expect(await body(session("/iterations/1/log?find=LINE"))).toMatchObject({
    matches: [{ line: 3, text: "third line" }],
    total_lines: 3,
  });
  expect(JSON.stringify(await body(session("/iterations/1/prompt")))).not.toContain("ghp_0123");
});

it("tells what was done since, and what it cost by the hour", async () => {
  await work();
  expect(await body("/since?from=2020-01-01T00:00:00Z")).toMatchObject({
    goals: [{ goal_id: "demo", iterations: 1, succeeded: 1, cost_usd: 0.25 }],
  });
  expect(await body("/usage?by=hour&from=2020-01-01")).toMatchObject({
    buckets: [{ iterations: 1, cost_usd: 0.25, unknown_tokens: 1 }],
  });
  expect((await serving.get("/usage?by=year")).status).toBe(400);
});

it("pages a timeline from the newest back to the beginning, and loses nothing", async () => {
  await work();
  const whole = await body<{ entries: unknown[] }>(session("/timeline?all=1&limit=500"));
  const paged: unknown[] = [];
  for (let before = ""; ;) {
    const page = await body<{ entries: unknown[]; next: number | null }>(
      session(`/timeline?all=1&limit=2${before}`),
    );
    paged.push(...page.entries);
    if (page.next === null) break;
    before = `&before=${page.next}`;
  }
  expect(paged).toEqual(whole.entries);
});

it("answers 304 while nothing changed", async () => {
  const first = await serving.get("/status");
  const tag = String(first.headers["etag"]);
  const again = await serving.get("/status", { headers: { "if-none-match": tag } });
  expect(again.status).toBe(304);
  await work();
  await until(() => coordinator.state().iterations === 1);
  await expect
    .poll(async () => (await serving.get("/status", { headers: { "if-none-match": tag } })).status)
    .toBe(200);
});

it("hands a write on to the coordinator, once for one key", async () => {
  const key = { "idempotency-key": "k1" };
  const first = await serving.post("/goals/demo/pause", { reason: "lunch" }, { headers: key });
  const again = await serving.post("/goals/demo/pause", { reason: "lunch" }, { headers: key });
  expect([first.status, again.body]).toEqual([200, first.body]);
  expect(coordinator.state()).toMatchObject({ paused: { detail: "lunch" } });
  expect(await body("/goals/demo")).toMatchObject({ phase: "paused" });
  const stale = await serving.post("/goals/demo/resume", { expected_seq: 0 });
  expect([stale.status, stale.body]).toMatchObject([
    409,
    { code: "STATE_MOVED", state: { seq: coordinator.state().seq, paused: { detail: "lunch" } } },
  ]);
});

it("journals a write itself where no coordinator lives", async () => {
  await coordinator.close();
  expect((await serving.post("/goals/demo/update", { text: "Use mail." })).status).toBe(200);
  const paused = await serving.post("/goals/demo/pause", { reason: "night" });
  expect([paused.status, paused.body]).toMatchObject([200, { next_command: "loopwright run" }]);
  expect(await body(session())).toMatchObject({ state: { paused: { detail: "night" } } });
  expect((await serving.post("/goals/demo/stop", {})).status).toBe(200);
  expect((await serving.post("/goals/demo/stop", {})).status).toBe(409);
  const resumed = await serving.post("/goals/demo/resume", {});
  expect(resumed.status).toBe(200);
  expect(await body("/goals/demo")).toMatchObject({ phase: "interrupted" });
});

it("archives exactly what it previewed, and never what is being run", async () => {
  const running = await serving.post("/goals/demo/archive", { allow_registered: true });
  expect(running.status).toBe(409);
  await coordinator.close();
  const preview = await serving.post("/goals/demo/archive", { allow_registered: true });
  expect(preview.body).toMatchObject({ dry_run: true, archived: false });
  const { archive_path } = preview.body as { archive_path: string };
  expect(
    (await serving.post("/goals/demo/archive", { execute: true, allow_registered: true })).status,
  ).toBe(422);
  mkdirSync(archive_path, { recursive: true });
  const taken = { execute: true, allow_registered: true, archive_path };
  expect((await serving.post("/goals/demo/archive", taken)).status).toBe(409);
  expect((await serving.get("/goals/demo")).body).toMatchObject({ sessions: [expect.any(String)] });
});

it("settles what is next, and appends a run, also where nothing runs", async () => {
  await coordinator.close();
  const settled = await serving.post("/goals/demo/resolve", {
    take: "state",
    next_action: "Write the parser",
  });
  expect(settled.status).toBe(200);
  expect(await body("/goals/demo")).toMatchObject({ next_action: "Write the parser" });
  const refreshed = await serving.post("/goals/demo/refresh", { classification: "looked" });
  expect(refreshed.body).toMatchObject({ run: { classification: "looked" } });
  expect(await body("/goals/demo")).toMatchObject({ latest_run: { classification: "looked" } });
});

it("shows a goal that was added, and keeps what it knows of a registry in mid-edit", async () => {
  await serving.get("/status");
  writeFileSync(serving.registryPath, '{"goals": [');
  expect((await serving.get("/goals/demo")).status).toBe(200);
  expect(serving.problems.splice(0)).toMatchObject([{ code: "REGISTRY_INVALID" }]);
  const goals = ["demo", "new"].map((id) => ({ id, repo: serving.room.repository }));
  writeFileSync(serving.registryPath, JSON.stringify({ schema_version: 1, goals }));
  await expect
    .poll(async () =>
      (await body<{ goals: { id: string }[] }>("/status")).goals.map(({ id }) => id),
    )
    .toEqual(["demo", "new"]);
});

it("tells of a damaged journal in one goal and shows the others", async () => {
  await coordinator.close();
  const layout = serving.room.session(coordinator.sessionId);
  appendFileSync(layout.journal, "{}\n");
  expect(await body("/status")).toMatchObject({ goals: [{ id: "demo" }, { id: "other" }] });
  expect(await body("/attention?goal=demo")).toMatchObject({
    items: [{ severity: "high", kind: "journal_damaged" }],
  });
  expect((await serving.get(session("/timeline"))).status).toBe(500);
});

it("lets a reader read and change nothing", async () => {
  const reader = { token: READ_TOKEN };
  expect((await serving.get("/me", reader)).body).toMatchObject({ can_write: false });
  expect((await serving.get("/status", reader)).status).toBe(200);
  const refused = await serving.post("/goals/demo/stop", {}, reader);
  expect([refused.status, (refused.body as { code: string }).code]).toEqual([
    403,
    "READ_ONLY_TOKEN",
  ]);
});
