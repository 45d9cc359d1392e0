import { existsSync, rmSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { signalProcess } from "../crash/harness/process-table.ts";
import { until } from "../crash/harness/wait.ts";
import { useRooms } from "./harness/rooms.ts";
import { CLAIM, DONE, report, type Step } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 180_000 });
const createRoom = useRooms();

const LOSE_JOURNAL: Step = { rm: "{{out}}/../../../journal.jsonl" };
const STAY: readonly Step[] = [{ append: "{{checkout}}/../ready", text: "" }, { sleep: 600_000 }];

test("a run whose agent removes the journal ends that agent, and a new session begins beside the lost one", async () => {
  const room = await createRoom({
    plan: { iterations: { 1: [LOSE_JOURNAL, ...STAY] } },
  });
  const run = await room.call(["run"]);
  expect(run).toMatchObject({ code: 5 });
  expect(run.stderr).toMatch(/journal\.jsonl is missing[^]*loopwright run --new/);
  await until("the agent to be gone", () => room.processes().length === 0);
  expect((await room.call(["run"])).code).toBe(5);
  room.plan({ steps: [DONE, report(), CLAIM] });
  const next = await room.call(["run", "--new"]);
  expect(next.stderr).toContain("stays as it is and is not gone on with");
  expect(next.code).toBe(0);
  expect(room.sessions()).toHaveLength(2);
});

test("stop --kill ends the agent of a session that can't be read, and doctor names it before", async () => {
  const room = await createRoom({ plan: { iterations: { 1: [...STAY] } } });
  const run = room.start(["run"]);
  await until("the agent", () => existsSync(room.file("ready")));
  for (const role of ["coordinator", "worker", "run"] as const)
    for (const row of room.withRole(role)) signalProcess(row, "SIGKILL");
  await run.exited;
  rmSync(room.session().journal);
  expect((await room.call(["doctor"])).stdout).toMatch(/still runs for session .* can't be read/);
  expect((await room.call(["run", "--new"])).stderr).toContain("loopwright stop --kill");
  const stopped = await room.call(["stop", "--kill"]);
  expect(stopped).toMatchObject({ code: 0 });
  expect(stopped.stdout).toMatch(/\d+ process(es)? of its agents ended/);
  await until("the agent to be gone", () => room.processes().length === 0);
});
