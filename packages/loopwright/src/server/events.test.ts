import { afterEach, beforeEach, expect, it } from "vitest";
import type { Coordinator } from "../coordinator/coordinator.ts";
import { until } from "../coordinator/testing/processes.ts";
import { send } from "../coordinator/testing/scripted-worker.ts";
import {
  type EventClient,
  openEvents,
  type StreamedEvent,
} from "../read-api/testing/event-client.ts";
import { type Serving, startServing, TOKEN } from "./testing/serving.ts";

let serving: Serving;
let coordinator: Coordinator;
const clients: EventClient[] = [];
beforeEach(async () => {
  serving = await startServing();
  coordinator = await serving.room.start();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await serving.close();
});

async function listen(query = "", headers: Record<string, string> = {}): Promise<EventClient> {
  const client = await openEvents(`${serving.server.url}/events${query}`, TOKEN, headers);
  clients.push(client);
  return client;
}

const guide = (text: string): Promise<unknown> =>
  send(`${coordinator.url}/goals/demo/update`, { token: coordinator.peopleToken, body: { text } });
const texts = (events: readonly StreamedEvent[]): unknown[] =>
  events.flatMap(({ data }) =>
    data["type"] === "input_received" ? [(data["data"] as { text: string }).text] : [],
  );

it("tells what happens from the cursor of a status on, whatever happened before the connection", async () => {
  const { cursor } = (await serving.get("/status")).body as { cursor: string };
  await guide("one");
  const client = await listen(`?after=${cursor}`);
  await guide("two");
  await until(() => texts(client.records()).length === 2);
  expect(texts(client.records())).toEqual(["one", "two"]);

  // Somebody whose line was cut after the first of them goes on where it was.
  const again = await listen("", { "last-event-id": client.records()[0]?.id ?? "" });
  await guide("three");
  await until(() => texts(again.records()).includes("three"));
  expect(texts(again.records())).toEqual(["two", "three"]);
});

it("sends somebody with a cursor of another server back to look at everything", async () => {
  const client = await listen("?after=someoneelse.12");
  await until(() => client.events.length > 0);
  const [reset] = client.events;
  expect(reset).toMatchObject({ event: "reset", id: reset?.data["cursor"] });
  await guide("one");
  await until(() => texts(client.records()).length === 1);
});

it("names the events of one session by its journal, in this server and in its coordinator alike", async () => {
  await guide("one");
  const query = `?session=${coordinator.sessionId}&after=0`;
  const client = await listen(query);
  await guide("two");
  await until(() => texts(client.records()).length === 2);
  const theirs = await openEvents(`${coordinator.url}/events?after=0`, coordinator.peopleToken);
  clients.push(theirs);
  await until(() => texts(theirs.records()).length === 2);
  expect(theirs.records()).toEqual(client.records());
  const last = client.records().at(-1)?.id ?? "";
  const rest = await listen(`?session=${coordinator.sessionId}`, { "last-event-id": last });
  await guide("three");
  await until(() => texts(rest.records()).length === 1);
  expect(texts(rest.records())).toEqual(["three"]);
});

it("tells how things stand without an id, and only when that has changed", async () => {
  const client = await listen("?goal=demo");
  await until(() => client.events.some(({ event }) => event === "live"));
  expect(client.events.find(({ event }) => event === "live")).toMatchObject({
    id: undefined,
    data: { id: "demo", phase: "starting" },
  });
});
