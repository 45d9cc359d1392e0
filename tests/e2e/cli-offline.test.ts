import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { signalProcess } from "../crash/harness/process-table.ts";
import { until } from "../crash/harness/wait.ts";
import { callAll } from "./harness/account.ts";
import { crew, held, verified } from "./harness/loop.ts";
import { createScratch, GOAL, type Scratch, type ScratchOptions } from "./harness/scratch.ts";
import { CLAIM, DONE, report } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 180_000 });

let scratch: Scratch | undefined;
afterEach(async () => {
  await scratch?.close();
  scratch = undefined;
});

async function room(options: ScratchOptions): Promise<Scratch> {
  scratch = await createScratch(options);
  return scratch;
}

test("stop, guidance and check work without a coordinator, and run goes on from there", async () => {
  const loop = await room({});
  loop.plan({ iterations: { 1: held(loop.file("go")), 2: [DONE, report(), CLAIM] } });
  const run = loop.start(["run"]);
  await until("the agent to start", () => loop.witnessed().length === 1);
  const busy = await loop.call(["check"]);
  expect(busy).toMatchObject({ code: 3 });
  for (const row of [run, ...crew(loop, "coordinator"), ...crew(loop, "worker")])
    signalProcess(row, "SIGKILL");
  await run.exited;
  loop.write("../go", "");
  await until("the agent to end", () => loop.processes().length === 0);

  const [interrupted, check, paused, guided, verify] = await callAll(loop, [
    ["status", "--json"],
    ["check"],
    ["pause"],
    ["update", "Use tabs"],
    ["verify"],
  ]);
  expect(JSON.parse(interrupted?.stdout ?? "")).toMatchObject({
    goals: [{ phase: "interrupted", attention: { severity: "action" } }],
  });
  expect(check).toMatchObject({ code: 1, stderr: "" });
  expect(check?.stdout).toMatch(/fail +goal[\s\S]*Journaled in session/);
  expect(paused).toMatchObject({ code: 0 });
  expect(guided?.stdout).toContain("is kept for when the session goes on");
  expect(verify).toMatchObject({ code: 0 });
  const again = await loop.call(["run"]);
  expect(again.stdout).toContain("which was paused (user)");
  expect(again.code).toBe(0);
  expect(loop.witnessed()).toHaveLength(2);
  await verified(loop);
});

test("a limit stops with 10, is raised, and the session goes on", async () => {
  const loop = await room({ plan: { iterations: { 1: [report()], 2: [DONE, report(), CLAIM] } } });
  const ran = await loop.call(["run", "--max-iterations", "1"]);
  expect(ran).toMatchObject({ code: 10 });
  expect(ran.stdout).toContain("loopwright resume --max-iterations +20");
  expect(await loop.call(["run"])).toMatchObject({ code: 3 });
  const resumed = await loop.call(["resume", "--max-iterations", "+1"]);
  expect(resumed.code).toBe(0);
  expect(loop.session().records("limit_raised")).toMatchObject([
    { data: { limit: "max_iterations", from: 1, to: 2 } },
  ]);
});

test("a baseline that is green stops with the way on, and the next plain run takes its place", async () => {
  const loop = await room({ files: { "goal.txt": "done\n" } });
  const ran = await loop.call(["run"]);
  expect(ran.code).toBe(5);
  expect(ran.stdout).toContain("baseline_green");
  loop.write("goal.txt", "not yet\n");
  loop.plan({ steps: [DONE, report(), CLAIM] });
  const again = await loop.call(["run"]);
  expect(again.stdout).toContain("a new one takes its place");
  expect(again.code).toBe(0);
});

test("verify tells of a run index that isn't the journal's, and the next coordinator completes it", async () => {
  const loop = await room({ plan: { steps: [report()] } });
  expect((await loop.call(["run", "--max-iterations", "2"])).code).toBe(10);
  const path = `${loop.runtimeRoot}/goals/${GOAL}/runs.jsonl`;
  const [first = "", second = ""] = readFileSync(path, "utf8").trim().split("\n");
  writeFileSync(path, `${first.replace('"succeeded"', '"failed"')}\n`);
  const { code, stdout } = await loop.call(["verify"]);
  expect(code).toBe(1);
  expect(stdout).toContain("the row of iteration 1 disagrees with the journal");
  expect(stdout).toContain("the row of iteration 2 is missing");
  writeFileSync(path, `${first}\n${second.replace(/-0002"/, '-0009"')}\n`);
  expect((await loop.call(["verify"])).stdout).toMatch(/the row \S+-0009 belongs to no iteration/);
  writeFileSync(path, `${first}\n`);
  expect((await loop.call(["resume", "--max-iterations", "+1"])).code).toBe(10);
  expect((await loop.call(["verify"])).code).toBe(0);
});
