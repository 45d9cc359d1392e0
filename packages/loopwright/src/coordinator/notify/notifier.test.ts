import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createRoom, type Room } from "../testing/room.ts";
import { createScriptedWorker, send } from "../testing/scripted-worker.ts";
import type { Notice } from "./notices.ts";

let room: Room;
let receiver: Server;
let received: Notice[];
let keys: unknown[];
let answer: number;
beforeEach(async () => {
  room = createRoom();
  received = [];
  keys = [];
  answer = 200;
  receiver = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      received.push(JSON.parse(text) as Notice);
      keys.push(request.headers["idempotency-key"]);
      response.writeHead(answer).end();
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
});
afterEach(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await room.close();
});

const webhook = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
const notify = (more: object = {}) => ({
  command: null,
  webhook: webhook(),
  desktop: false,
  on: ["stopped" as const, "attention" as const, "limit_80" as const],
  ...more,
});

it("tells that 80 % of a limit are used, and how the session ended, before its process goes", async () => {
  const limits = { max_iterations: 1 } as never;
  const coordinator = await room.start({ configuration: { notify: notify(), limits } });
  const worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
  await worker.finish((await worker.task()) as WorkflowTask);
  await coordinator.ended;
  expect(received).toMatchObject([
    { kind: "stopped", status: "stopped", stop_reason: "max_iterations", goal_id: "demo" },
    { kind: "limit_80", text: "100 % of max_iterations are used" },
  ]);
  expect(keys).toEqual(received.map(({ id }) => id));
});

it("sends again after a restart what nobody has taken, with the same id, and nothing that somebody has", async () => {
  answer = 503;
  const first = await room.start({ configuration: { notify: notify() } });
  await send(`${first.url}/goals/demo/stop`, { token: first.peopleToken, body: {} });
  await first.ended;
  await first.close();
  const ids = received.map(({ id }) => id);
  expect(ids).toHaveLength(1);

  answer = 200;
  const by = { by: "ann", raise: [] };
  const sessionId = first.sessionId;
  const second = await room.start({ kind: "existing", sessionId, reopen: by });
  await expect.poll(() => received.map(({ id }) => id)).toEqual([...ids, ...ids]);
  await second.close();
  const third = await room.start({ kind: "existing", sessionId, reopen: by });
  await send(`${third.url}/goals/demo/stop`, { token: third.peopleToken, body: {} });
  await third.ended;
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ id }) => id)).size).toBe(2);
});

it("gives a notice to a program on its standard input", async () => {
  const out = join(room.root, "..", "told");
  const program = join(room.root, "..", "tell.sh");
  writeFileSync(program, `cat >> ${out}\n`);
  const command = ["sh", program];
  const configuration = { notify: notify({ command, webhook: null, on: ["stopped"] }) };
  const coordinator = await room.start({ configuration });
  await send(`${coordinator.url}/goals/demo/stop`, { token: coordinator.peopleToken, body: {} });
  await coordinator.ended;
  expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ kind: "stopped" });
  rmSync(out);
});
