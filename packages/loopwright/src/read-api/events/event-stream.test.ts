import type { JournalLine } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listenHttp, type RunningServer } from "../http/listen.ts";
import type { ReadModel } from "../model.ts";
import { queryOf } from "../query.ts";
import { type EventClient, openEvents } from "../testing/event-client.ts";
import { createEventHub, type EventHub } from "./event-hub.ts";
import { streamEvents } from "./event-stream.ts";

let hub: EventHub;
let server: RunningServer;
const clients: EventClient[] = [];
beforeEach(async () => {
  hub = createEventHub("here");
  const model = { hub, totals: () => ({}) } as unknown as ReadModel;
  server = await listenHttp({
    host: "127.0.0.1",
    port: 0,
    handle: (request, response) =>
      Promise.resolve(streamEvents(model, request, response, queryOf(request.url ?? ""))),
    onProblem: () => undefined,
  });
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  server.refuseAll();
  await server.close();
});

async function listen(query = ""): Promise<EventClient> {
  const client = await openEvents(`${server.url}/events${query}`, "");
  clients.push(client);
  return client;
}

let seq = 0;
function publish(goalId: string, text: string): void {
  const input = { id: "i", text, at: "2026-01-01T00:00:00.000Z" };
  const line = { seq: seq++, at: input.at, epoch: 1, prev: "", sum: "" };
  const records: JournalLine["records"] = [{ type: "input_received", data: input }];
  hub.publish(goalId, "session", [{ ...line, records }]);
}

it("drops who doesn't read, while others miss nothing, and keeps no queue for anybody", async () => {
  const slow = await listen();
  const quick = await listen();
  slow.stall();
  const large = "x".repeat(100_000);
  const count = 300;
  for (let at = 1; at <= count; at++) {
    publish("goal", `${at} ${large}`);
    await expect.poll(() => quick.records().length, { interval: 2, timeout: 20_000 }).toBe(at);
  }
  await expect.poll(() => hub.listeners(), { timeout: 20_000 }).toBe(1);
  expect(quick.closed()).toBe(false);
});

it("forgets what is old, and says so to who asks for it", async () => {
  const first = hub.cursor();
  for (let at = 0; at < 100; at++) publish("goal", "x".repeat(100_000));
  const client = await listen(`?after=${first}`);
  await expect.poll(() => client.events[0]?.event).toBe("reset");
});

it("tells of one goal alone, and goes on after the last of them", async () => {
  const client = await listen("?goal=a");
  for (const goalId of ["a", "b", "a", "b"]) publish(goalId, goalId);
  await expect.poll(() => client.records().length).toBe(2);
  const again = await listen(`?goal=a&after=${client.records()[0]?.id ?? ""}`);
  await expect.poll(() => again.records().length).toBe(1);
  expect(again.records()[0]).toEqual(client.records()[1]);
});
