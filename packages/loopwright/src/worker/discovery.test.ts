import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { SCHEMA_VERSION } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../seams/clock.ts";
import { goalLayout } from "../store/layout.ts";
import { takeLock } from "../store/lock.ts";
import { bytesOf, lineAfter, type WrittenLine } from "../store/testing/written-journal.ts";
import { createPatience } from "./patience.ts";
import { goalDirectoryOf } from "./session-place.ts";
import { startDouble } from "./testing/coordinator-double.ts";
import { makeWorkPlace, SEAMS, STOP, type WorkPlace } from "./testing/work-place.ts";
import { runWorker, type WorkerEnd } from "./worker.ts";

let place: WorkPlace;
beforeEach(() => {
  place = makeWorkPlace();
});
afterEach(() => place.remove());

const WORKER_TOKEN = "w".repeat(40);

function announce(url: string): void {
  const file = {
    schema_version: SCHEMA_VERSION,
    session_id: STOP.session_id,
    url,
    worker_token: WORKER_TOKEN,
    people_token: "p".repeat(40),
    identity: SEAMS.processes.self(),
    epoch: 1,
    program_version: "0.1.0",
  };
  writeFileSync(join(place.session, "coordinator.json"), JSON.stringify(file));
}

function run(): Promise<WorkerEnd> {
  return runWorker({
    seams: SEAMS,
    sessionDirectory: place.session,
    checkout: place.checkout,
    version: "0.1.0",
  });
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("a worker waits for its coordinator, uses the worker's token, and notices a new one at once", async () => {
  const running = run();
  announce(`http://127.0.0.1:${await closedPort()}`);
  // By now it waits up to five seconds between two attempts.
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  const double = await startDouble(() => STOP);
  const at = performance.now();
  announce(double.url);
  expect(await running).toMatchObject({ ended: "stopped" });
  expect(performance.now() - at).toBeLessThan(1_500);
  expect(double.received[0]).toMatchObject({ path: "/register", token: WORKER_TOKEN });
  await double.close();
});

test("it gives up when nobody has held the goal for its patience, and not while somebody does", async () => {
  const configuration = { worker_patience: 400 };
  writeFileSync(join(place.session, "session.json"), JSON.stringify({ configuration }));
  const base = goalLayout(goalDirectoryOf(place.session)).lock;
  const taken = takeLock(SEAMS.disk, base, SEAMS.processes.self(), {
    liveness: SEAMS.processes.liveness,
    at: "2026-01-01T00:00:00.000Z",
    purpose: "goal",
    goalId: "goal",
  });
  let ended = false;
  const running = run().finally(() => (ended = true));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(ended).toBe(false);
  if (taken.ok) taken.lock.release();
  expect(await running).toEqual({ ended: "gave_up" });
});

const ENDED = { status: "goal_met", stop_reason: "goal_met" } as const;

function writeJournal(...types: string[]): void {
  const lines: WrittenLine[] = [];
  for (const type of types) lines.push(lineAfter(lines.at(-1), 1, [{ type, data: ENDED }]));
  writeFileSync(join(place.session, "journal.jsonl"), bytesOf(lines));
}

test("it stops when the journal says that the session is over and nobody holds it", () => {
  const patience = createPatience({ ...SEAMS, clock: systemClock }, place.session);
  writeJournal("session_started");
  expect(patience.verdict()).toEqual({ kind: "wait" });
  writeJournal("session_started", "session_stopped", "session_reopened");
  expect(patience.verdict()).toEqual({ kind: "wait" });
  writeJournal("session_started", "session_stopped");
  expect(patience.verdict()).toEqual({ kind: "stopped", ...ENDED });
});

test("one that was given a URL learns from its tasks where the session lies", () => {
  const patience = createPatience({ ...SEAMS, clock: systemClock }, undefined);
  writeJournal("session_started", "session_stopped");
  patience.restored(join(place.session, "on-another-machine"));
  expect(patience.verdict()).toEqual({ kind: "wait" });
  patience.restored(place.session);
  expect(patience.verdict()).toEqual({ kind: "stopped", ...ENDED });
});

test("a child session's goal is that of its parent", () => {
  expect(goalDirectoryOf("/r/goals/g/sessions/a/children/a-c01")).toBe("/r/goals/g");
});
