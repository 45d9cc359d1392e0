import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { finishedRequest, type Result, result } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type CoordinatorDouble,
  type Reaction,
  startDouble,
} from "./testing/coordinator-double.ts";
import { makeWorkPlace, SEAMS, STOP, type WorkPlace } from "./testing/work-place.ts";
import { runWorker, type WorkerEnd } from "./worker.ts";

let place: WorkPlace;
let double: CoordinatorDouble | undefined;

beforeEach(() => {
  place = makeWorkPlace();
});
afterEach(async () => {
  await double?.close();
  place.remove();
});

/** Answers one after the other, the last one for ever. */
async function run(answers: Reaction[], options: object = {}): Promise<WorkerEnd> {
  double = await startDouble(
    (_, count) => answers[Math.min(count, answers.length) - 1] as Reaction,
  );
  const grace = { native: 200, term: 200 };
  const { url } = double;
  return runWorker({
    seams: SEAMS,
    url,
    token: "t".repeat(32),
    checkout: place.checkout,
    version: "0.1.0",
    grace,
    ...options,
  });
}

function reported(index = 1): Result {
  return result.parse(double?.received[index]?.body);
}

const REPORT = { schema_version: 1, attempt_id: "{{attempt_id}}", summary: "Did it." };

test("an iteration is run, stored and reported", async () => {
  const task = place.task([
    { readStdin: true },
    { print: "hello\n" },
    { write: "b.txt", text: "two\n" },
    { write: "{{report}}", json: REPORT },
    {
      write: "{{control}}",
      json: {
        schema_version: 1,
        attempt_id: "{{attempt_id}}",
        state: "stopped",
        stop_reason: "goal_met",
        reason: "done",
      },
    },
  ]);
  expect(await run([task, STOP])).toEqual({
    ended: "stopped",
    status: "stopped",
    stop_reason: "user_stop",
  });

  expect(finishedRequest.safeParse(double?.received[1]?.body).success).toBe(true);
  const found = reported();
  expect(found).toMatchObject({
    attempt_id: task.attempt_id,
    outcome: "ok",
    orderly: true,
    started: true,
    text: "hello\n",
    exit: { code: 0, signal: null },
    usage: null,
    report: { state: "valid", value: { summary: "Did it." } },
    control: { state: "valid", value: { stop_reason: "goal_met" } },
    goal_check: { state: "absent" },
    changes: { files_changed: 1, insertions: 1, deletions: 0, branch_after: "trunk" },
    leftovers: [],
  });
  const layout = place.layout(task);
  const stored = readFileSync(layout.result);
  expect(createHash("sha256").update(stored).digest("hex")).toBe(
    double?.received[1]?.body["result_sha256"],
  );
  expect(JSON.parse(stored.toString())).toEqual(found);
  expect(readFileSync(layout.output, "utf8")).toBe("hello\n");
  expect(existsSync(layout.stdoutRaw)).toBe(false);
  expect(existsSync(layout.control)).toBe(false);
  expect(existsSync(layout.controlTaken)).toBe(true);
  expect(JSON.parse(readFileSync(layout.changes, "utf8"))).toMatchObject({
    files: [{ path: "b.txt", status: "added" }],
  });
});

test("the agent gets the prompt of 300 KB on stdin as it is stored", async () => {
  const task = place.task([{ readStdin: true }], { goal: "g".repeat(300_000) });
  await run([task, STOP]);
  const prompt = readFileSync(place.layout(task).prompt);
  expect(prompt.length).toBeGreaterThan(300_000);
  expect(place.witnessed()[0]?.stdin_md5).toBe(createHash("md5").update(prompt).digest("hex"));
});

test("a lost answer is asked for again with the same report", async () => {
  const task = place.task([]);
  await run([task, { drop: true }, { status: 503 }, { status: 401 }, STOP]);
  const finished = double?.received.filter(({ path }) => path === "/finished") ?? [];
  expect(finished).toHaveLength(4);
  expect(new Set(finished.map(({ body }) => body["result_sha256"])).size).toBe(1);
  expect(place.witnessed()).toHaveLength(1);
});

test("a held answer is waited for", async () => {
  let release: (answer: typeof STOP) => void = () => {};
  const hold = new Promise<typeof STOP>((resolve) => (release = resolve));
  const running = run([{ hold }]);
  await expect.poll(() => double?.received.length).toBe(1);
  release(STOP);
  expect(await running).toMatchObject({ ended: "stopped" });
});

test("a refusal ends the worker with the problem", async () => {
  const problem = {
    type: "about:blank",
    title: "Seat taken",
    status: 409,
    code: "SEAT_TAKEN",
    detail: "A worker is at it.",
  };
  expect(await run([{ status: 409, body: problem }])).toEqual({ ended: "refused", problem });
});

test("a withdrawn attempt is not reported and the worker registers again", async () => {
  const task = place.task([]);
  const { mkdirSync, writeFileSync } = await import("node:fs");
  mkdirSync(task.task_dir, { recursive: true });
  const withdrawn = {
    schema_version: 1,
    withdrawn: true,
    withdrawn_at: "2026-01-01T00:00:00.000Z",
  };
  writeFileSync(join(task.task_dir, "process.json"), JSON.stringify(withdrawn));
  await run([task, STOP]);
  expect(double?.received.map(({ path }) => path)).toEqual(["/register", "/register"]);
  expect(place.witnessed()).toEqual([]);
});

test("a program that doesn't exist is a failed bootstrap, not a failed run", async () => {
  const task = place.task([], { agent: { command: ["no-such-program"] } });
  await run([task, STOP]);
  expect(reported()).toMatchObject({
    outcome: "bootstrap_failed",
    cause: "config",
    started: false,
  });
  expect(reported().evidence).toContain("no-such-program");
});

test("an adapter that isn't there yet is a failed bootstrap with a clear sentence", async () => {
  const task = place.task([], { agent: { adapter: "codex" } });
  await run([task, STOP]);
  expect(reported()).toMatchObject({ outcome: "bootstrap_failed", cause: "config" });
  expect(reported().evidence).toContain('adapter "codex" is not available');
});

test("a checkout that disappears ends the run as workspace_gone", async () => {
  const task = place.task([{ rm: place.checkout }, { sleep: 30_000 }]);
  await run([task, STOP]);
  expect(reported()).toMatchObject({ outcome: "workspace_gone", orderly: false });
});
