import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Result } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startDouble } from "./testing/coordinator-double.ts";
import { runTask } from "./testing/run-tasks.ts";
import { makeWorkPlace, type WorkPlace } from "./testing/work-place.ts";

let place: WorkPlace;
beforeEach(() => {
  place = makeWorkPlace();
});
afterEach(() => place.remove());

const PROGRAM = fileURLToPath(new URL("testing/worker-program.ts", import.meta.url));
const STEPS = [
  { print: "before\n" },
  { write: "started", text: "1" },
  { waitForFile: "go" },
  { print: "after\n" },
  { write: "b.txt", text: "two\n" },
  {
    write: "{{control}}",
    json: {
      schema_version: 1,
      attempt_id: "{{attempt_id}}",
      state: "stopped",
      stop_reason: "goal_met",
      reason: "x",
    },
  },
  { write: "ended", text: "1" },
];

/** A worker of its own process is killed once the agent is at work, or told to leave. */
async function loseWorker(
  task: ReturnType<WorkPlace["task"]>,
  signal: "SIGKILL" | "SIGTERM" = "SIGKILL",
): Promise<void> {
  const double = await startDouble(() => task);
  const worker = spawn(
    process.execPath,
    ["--conditions=loopwright-source", PROGRAM, double.url, place.checkout],
    { stdio: "inherit" },
  );
  const gone = new Promise((resolve) => worker.once("exit", resolve));
  await expect
    .poll(() => existsSync(join(place.checkout, "started")), { timeout: 20_000 })
    .toBe(true);
  worker.kill(signal);
  await gone;
  await double.close();
}

function go(): void {
  writeFileSync(join(place.checkout, "go"), "");
}

const WHOLE: Partial<Result> = {
  outcome: "ok",
  orderly: true,
  started: true,
  text: "before\nafter\n",
  exit: { code: 0, signal: null },
};

test("an agent that outlived its worker is waited for and gives the same result", async () => {
  const task = place.task(STEPS);
  await loseWorker(task);
  setTimeout(go, 300);
  const found = await runTask(place, { ...task, adopt: true });
  expect(found).toMatchObject({
    ...WHOLE,
    control: { state: "valid" },
    changes: { files_changed: 4, tree_digest_before: expect.any(String) },
  });
  expect(place.witnessed()).toHaveLength(1);
});

test("an agent that ended after its worker's death is read from its files", async () => {
  const task = place.task(STEPS);
  await loseWorker(task);
  go();
  await expect.poll(() => existsSync(place.layout(task).exit), { timeout: 20_000 }).toBe(true);
  const first = await runTask(place, { ...task, adopt: true });
  expect(first).toMatchObject(WHOLE);

  // The result was written but not reported: the next worker reports that very one.
  writeFileSync(join(place.checkout, "later.txt"), "");
  const second = await runTask(place, { ...task, adopt: true });
  expect(second).toEqual(first);

  // The control had been taken, but there was no result yet.
  rmSync(place.layout(task).result);
  const third = await runTask(place, { ...task, adopt: true });
  expect(third.control).toMatchObject({ state: "valid" });
  expect(place.witnessed()).toHaveLength(1);
});

test("an adopted agent can be cancelled", async () => {
  const task = place.task(STEPS);
  await loseWorker(task);
  const cancel = { schema_version: 1, attempt_id: task.attempt_id, mode: "now" };
  writeFileSync(place.layout(task).cancel, JSON.stringify(cancel));
  expect(await runTask(place, { ...task, adopt: true })).toMatchObject({
    outcome: "cancelled",
    text: "before\n",
  });
});

test("an agent that died with its shim unseen is a crash, never a made-up result", async () => {
  const task = place.task(STEPS);
  await loseWorker(task);
  const { pid } = JSON.parse(readFileSync(place.layout(task).process, "utf8")) as { pid: number };
  process.kill(-pid, "SIGKILL");
  const found = await runTask(place, { ...task, adopt: true });
  expect(found).toMatchObject({
    outcome: "failed",
    cause: "crash",
    orderly: false,
    started: true,
    exit: { code: null, signal: null },
  });
});

test("a worker that is told to leave ends at once and leaves the agent at work", async () => {
  const task = place.task(STEPS);
  await loseWorker(task, "SIGTERM");
  expect(existsSync(place.layout(task).exit)).toBe(false);
  go();
  expect(await runTask(place, { ...task, adopt: true })).toMatchObject(WHOLE);
  expect(place.witnessed()).toHaveLength(1);
});
