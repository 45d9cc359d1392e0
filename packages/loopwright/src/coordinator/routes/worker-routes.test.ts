import { connect } from "node:net";
import type { ProblemBody, WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Coordinator } from "../coordinator.ts";
import { startSleeper } from "../testing/processes.ts";
import { createRoom, type Room } from "../testing/room.ts";
import {
  createScriptedWorker,
  resultOf,
  type ScriptedWorker,
  send,
} from "../testing/scripted-worker.ts";

let room: Room;
let coordinator: Coordinator;
let worker: ScriptedWorker;
beforeEach(async () => {
  room = createRoom();
  coordinator = await room.start();
  worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
});
afterEach(() => room.close());

const code = (reply: { status: number; body: unknown }) => [
  reply.status,
  (reply.body as ProblemBody).code,
];

it("refuses a body that is not JSON", async () => {
  expect(code(await worker.post("/register", undefined, { raw: "{" }))).toEqual([
    400,
    "BODY_MALFORMED",
  ]);
});

it("names the path of each bad field", async () => {
  const task = (await worker.task()) as WorkflowTask;
  const reply = await worker.finish(
    task,
    {},
    { outcome: "splendid", exit: { code: "0", signal: null } },
  );
  expect(code(reply)).toEqual([422, "BODY_INVALID"]);
  expect((reply.body as ProblemBody).fields?.map(({ path }) => path)).toEqual([
    "outcome",
    "exit.code",
  ]);
  expect(coordinator.state().iterations).toBe(0);
});

it("takes no other content type and no encoding", async () => {
  expect(
    code(await worker.post("/register", {}, { headers: { "content-type": "text/plain" } })),
  ).toEqual([415, "CONTENT_TYPE"]);
  expect(
    code(await worker.post("/register", {}, { headers: { "content-encoding": "gzip" } })),
  ).toEqual([415, "CONTENT_TYPE"]);
});

it("opens the worker's endpoints to the worker's token alone, and nothing else to it", async () => {
  expect(code(await worker.post("/register", {}, { token: null }))).toEqual([401, "UNAUTHORIZED"]);
  expect(code(await worker.post("/register", {}, { token: "x" }))).toEqual([401, "UNAUTHORIZED"]);
  expect(code(await worker.post("/register", {}, { token: coordinator.peopleToken }))).toEqual([
    401,
    "UNAUTHORIZED",
  ]);
  expect(code(await worker.post("/status", undefined, { method: "GET" }))).toEqual([
    401,
    "UNAUTHORIZED",
  ]);
});

it("refuses a foreign Host and a foreign Origin", async () => {
  expect(code(await worker.post("/register", {}, { headers: { host: "evil.example" } }))).toEqual([
    403,
    "FORBIDDEN_ORIGIN",
  ]);
  expect(
    code(await worker.post("/register", {}, { headers: { origin: "http://evil.example" } })),
  ).toEqual([403, "FORBIDDEN_ORIGIN"]);
  expect(code(await worker.post("/register", {}, { headers: { origin: "null" } }))).toEqual([
    403,
    "FORBIDDEN_ORIGIN",
  ]);
  const own = { host: new URL(coordinator.url).host, origin: coordinator.url };
  expect((await worker.register({})).status).toBe(200);
  expect((await worker.post("/healthz", undefined, { method: "GET", headers: own })).status).toBe(
    200,
  );
});

it("refuses a body over 1 MiB without reading it", async () => {
  const task = (await worker.task()) as WorkflowTask;
  expect(code(await worker.finish(task, { text: "x".repeat(1_100_000) }))).toEqual([
    413,
    "BODY_TOO_LARGE",
  ]);
  const endless = await sendEndless(coordinator);
  expect(endless.answer).toContain("413");
  expect(endless.sent).toBeLessThan(16 * 1024 * 1024);
});

it("tells another protocol or program version what to run", async () => {
  const protocol = await worker.register({ protocol: 2, somethingNew: true, worker: undefined });
  expect(code(protocol)).toEqual([426, "PROTOCOL_VERSION"]);
  const program = await worker.register({ program_version: "0.9.0" });
  expect(code(program)).toEqual([426, "PROTOCOL_VERSION"]);
  expect((program.body as ProblemBody).hint).toContain("loopwright@0.1.0");
  expect((await worker.register({ program_version: "0.1.99" })).status).toBe(200);
});

it("refuses a worker that stands in another checkout", async () => {
  const reply = await worker.register({ repo: { root: "/", head: null } });
  expect(code(reply)).toEqual([409, "WRONG_CHECKOUT"]);
});

it("refuses a report from somebody without the seat", async () => {
  const task = (await worker.task()) as WorkflowTask;
  const other = await startSleeper(room.seams.processes);
  const stranger = createScriptedWorker(coordinator, other.identity, room.repository);
  const reply = await stranger.finish(task);
  expect(code(reply)).toEqual([409, "STALE_REPORT"]);
  expect((reply.body as ProblemBody).holder).toEqual(worker.identity);
  expect(coordinator.state()).toMatchObject({ iterations: 0 });
  await other.end();
});

it("lets a stale report of the seat change nothing, and answers with the live task", async () => {
  const task = (await worker.task()) as WorkflowTask;
  const { seq } = coordinator.state();
  for (const wrong of [
    { epoch: task.epoch + 1 },
    { attempt_id: "0".repeat(26) },
    { iteration: 7 },
    { session_id: "20250101T000000Z-aaaaaaaaaaaa" },
  ]) {
    const reply = await worker.finish(task, {}, wrong);
    expect(reply.body).toMatchObject({ action: "run", attempt_id: task.attempt_id });
  }
  expect(coordinator.state().seq).toBe(seq);
});

it("answers a repeated report with what followed it: a lost answer heals", async () => {
  const task = (await worker.task()) as WorkflowTask;
  const first = await worker.finish(task);
  const { seq } = coordinator.state();
  const again = await worker.finish(task);
  expect(again.body).toEqual(first.body);
  expect(coordinator.state()).toMatchObject({ seq, iterations: 1 });
});

it("refuses a report of another kind than the live task", async () => {
  const task = (await worker.task()) as WorkflowTask;
  const { attempt_id, session_id, epoch } = task;
  const envelope = {
    protocol: 1,
    program_version: "0.1.0",
    worker: worker.identity,
    attempt_id,
    session_id,
    epoch,
  };
  expect(code(await worker.post("/finished", { ...envelope, receipt: null }))).toEqual([
    422,
    "BODY_INVALID",
  ]);
  expect(resultOf(task).outcome).toBe("ok");
});

it("answers unknown paths and methods as what they are", async () => {
  const get = (path: string, method = "GET") =>
    send(coordinator.url + path, { method, token: coordinator.peopleToken });
  expect(code(await get("/nothing"))).toEqual([404, "ROUTE_NOT_FOUND"]);
  expect(code(await get("/status", "DELETE"))).toEqual([405, "METHOD_NOT_ALLOWED"]);
  expect((await get("/status", "OPTIONS")).headers["allow"]).toContain("GET");
  const register = await worker.post("/register", undefined, { method: "GET" });
  expect([...code(register), register.headers["allow"]]).toEqual([
    405,
    "METHOD_NOT_ALLOWED",
    "POST",
  ]);
  expect((await get("/healthz", "HEAD")).status).toBe(200);
  expect((await send(`${coordinator.url}/healthz`, { method: "GET" })).body).toMatchObject({
    ok: true,
  });
  expect(code(await get("/sessions/..%2f..%2fetc"))).toEqual([404, "SESSION_NOT_FOUND"]);
});

it("serves status and session to people", async () => {
  await worker.task();
  const get = (path: string, method = "GET") =>
    send(coordinator.url + path, { method, token: coordinator.peopleToken });
  const status = await get("/status");
  expect(status.body).toMatchObject({
    schema_version: 1,
    goals: [{ id: "demo", phase: "executing", iteration: 1, current_workflow: "work" }],
  });
  expect((await get("/status", "HEAD")).status).toBe(200);
  const session = await get(`/sessions/${coordinator.sessionId}`);
  expect(session.body).toMatchObject({
    phase: "executing",
    state: { session_id: coordinator.sessionId },
    session: { goal_id: "demo" },
  });
});

/** Sends a chunked body without end until the server hangs up. */
function sendEndless({ url, workerToken }: Coordinator): Promise<{ answer: string; sent: number }> {
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve) => {
    let answer = "";
    let sent = 0;
    const socket = connect(Number(port), hostname);
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    const more = (): void => {
      while (!socket.destroyed && socket.writable && sent < 64 * 1024 * 1024) {
        sent += chunk.length;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on("drain", more);
    socket.on("data", (data) => (answer += data.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve({ answer, sent }));
    socket.write(
      `POST /finished HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${workerToken}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    more();
  });
}
