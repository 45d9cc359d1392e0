import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { signalProcess } from "../crash/harness/process-table.ts";
import { until } from "../crash/harness/wait.ts";
import { callAll } from "./harness/account.ts";
import { crew, held, types, verified } from "./harness/loop.ts";
import { createScratch, type Scratch, type ScratchOptions } from "./harness/scratch.ts";
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

test("a met goal can be read in every way, exits with 0 and is never run again by accident", async () => {
  const loop = await room({
    plan: {
      steps: [
        { print: "\u001b[31mworking\u001b[0m\n" },
        DONE,
        report({ summary: "Wrote goal.txt." }),
        CLAIM,
      ],
    },
  });
  const ran = await loop.call(["run"]);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toContain("Goal met, and verified.");
  expect(ran.stdout).toContain("REPORT.md");
  const { id } = loop.session();

  const [status, statusJson, events, timeline, show, showOne, logs, explain] = await callAll(loop, [
    ["status"],
    ["status", "--json"],
    ["events", "--json"],
    ["timeline"],
    ["show", id.slice(0, 10)],
    ["show", "latest", "1"],
    ["logs", "latest", "1", "--raw"],
    ["explain", "--json"],
  ]);
  for (const called of [status, statusJson, events, timeline, show, showOne, logs, explain])
    expect(called).toMatchObject({ code: 0, stderr: "" });
  expect(status?.stdout).toContain("goal met, verified");
  expect(JSON.parse(statusJson?.stdout ?? "")).toMatchObject({
    schema_version: 1,
    goals: [{ status: "goal_met", verified: true, phase: "ended", session_id: id, iteration: 1 }],
  });
  const recorded = (JSON.parse(events?.stdout ?? "") as { events: { type: string }[] }).events.map(
    ({ type }) => type,
  );
  expect(recorded).toEqual(types(loop));
  expect(timeline?.stdout).toMatch(
    /baseline red[\s\S]*claims that the goal is met[\s\S]*verification \(claim\) passed[\s\S]*goal_met/,
  );
  expect(show?.stdout).toContain("Wrote goal.txt.");
  expect(showOne?.stdout).toContain("succeeded");
  expect(showOne?.stdout).toMatch(/^ +prompt\.md {2}paths\.json .*out\/report\.json/m);
  expect(showOne?.stdout.match(/\/iterations\//g)).toHaveLength(1);
  expect(logs?.stdout).toBe("\u001b[31mworking\u001b[0m\n");
  expect(JSON.parse(explain?.stdout ?? "")).toMatchObject({ schema_version: 1, session_id: id });
  await verified(loop);

  for (const [words, code] of [
    [["run"], 3],
    [["resume"], 3],
    [["stop"], 3],
    [["pause"], 3],
    [["update", "more"], 3],
  ] as const) {
    const refused = await loop.call(words);
    expect(refused).toMatchObject({ code });
    expect(refused.stderr).toContain("(SESSION_ENDED)\nhint: ");
  }
  expect(loop.sessions()).toEqual([id]);
});

describe("while a loop runs", () => {
  test("Ctrl-C once stops after the iteration, and resume goes on from there", async () => {
    const loop = await room({});
    loop.plan({ iterations: { 1: held(loop.file("go")), 2: [DONE, report(), CLAIM] } });
    const run = loop.start(["run"]);
    await until("the agent to start", () => loop.witnessed().length === 1);
    signalProcess(run, "SIGINT");
    await until("the stop to be recorded", () => types(loop).includes("stop_requested"));
    loop.write("../go", "");
    expect(await run.exited).toBe(10);
    expect(run.stdout()).toContain("stopped (user_stop)");
    expect(loop.session().records("task_finished")).toMatchObject([{ data: { outcome: "ok" } }]);

    const resumed = await loop.call(["resume"]);
    expect(resumed.stdout).toContain("Resuming session");
    expect(resumed.code).toBe(0);
    expect(loop.sessions()).toHaveLength(1);
    await verified(loop);
  });

  test("Ctrl-C twice ends the agent now, and nothing of it is left", async () => {
    const loop = await room({ plan: { steps: held("/nonexistent/never") } });
    const run = loop.start(["run"]);
    await until("the agent to start", () => loop.witnessed().length === 1);
    signalProcess(run, "SIGINT");
    await until("the first to be told", () => run.stderr().includes("Once more: now."));
    signalProcess(run, "SIGINT");
    expect(await run.exited).toBe(10);
    expect(loop.session().records("task_finished")).toMatchObject([
      { data: { outcome: "cancelled" } },
    ]);
    await until("everything to end", () => loop.processes().length === 0);
    await verified(loop);
  });

  test("a killed worker and a killed coordinator are started again, and the agent's work is kept", async () => {
    const loop = await room({});
    loop.plan({ steps: held(loop.file("go"), DONE, CLAIM) });
    const run = loop.start(["run"]);
    await until("the agent to start", () => loop.witnessed().length === 1);
    for (const role of ["worker", "coordinator"] as const) {
      const [victim] = crew(loop, role);
      if (victim !== undefined) signalProcess(victim, "SIGKILL");
      await until(`another ${role}`, () => crew(loop, role).some(({ pid }) => pid !== victim?.pid));
    }
    loop.write("../go", "");
    expect(await run.exited).toBe(0);
    expect(run.stderr()).toMatch(/the worker crashed[\s\S]*the coordinator crashed/);
    expect(loop.witnessed()).toHaveLength(1);
    expect(loop.session().records("task_finished")).toHaveLength(1);
    await verified(loop);
  });

  test("a run that is killed leaves the loop going, and another run shows it", async () => {
    const loop = await room({});
    loop.plan({ steps: held(loop.file("go"), DONE, CLAIM) });
    const first = loop.start(["run"]);
    await until("the agent to start", () => loop.witnessed().length === 1);
    signalProcess(first, "SIGKILL");
    const [coordinator, worker] = [crew(loop, "coordinator"), crew(loop, "worker")];
    expect([coordinator, worker]).toMatchObject([[{}], [{}]]);
    const second = loop.start(["run"]);
    await until("it to look on", () =>
      second.stderr().includes(`The worker of process ${worker[0]?.pid}`),
    );
    expect(second.stdout()).toContain("runs already; this shows it.");
    expect(second.stderr()).toContain(`The coordinator of process ${coordinator[0]?.pid}`);
    const refused = await loop.call(["run", "--new"]);
    expect(refused).toMatchObject({ code: 3 });
    expect(refused.stderr).toContain("(SESSION_RUNNING)");
    loop.write("../go", "");
    expect(await second.exited).toBe(0);
    expect(loop.witnessed()).toHaveLength(1);
    await until("everything to end", () => loop.processes().length === 0);
    await verified(loop);
  });

  test("pause, guidance and resume reach it, and the guidance stands in the next prompt", async () => {
    const loop = await room({});
    loop.plan({ iterations: { 1: held(loop.file("go")), 2: [DONE, report(), CLAIM] } });
    const run = loop.start(["run"]);
    await until("the agent to start", () => loop.witnessed().length === 1);
    const [paused, updated, status] = await callAll(loop, [
      ["pause"],
      ["update", "Prefer", "the existing mailer"],
      ["status"],
    ]);
    expect([paused, updated, status]).toMatchObject([{ code: 0 }, { code: 0 }, { code: 0 }]);
    expect(status?.stdout).toContain("Prefer the existing mailer");
    loop.write("../go", "");
    await until("the iteration to end", () => types(loop).includes("task_finished"));
    const [waiting, resumed] = await callAll(loop, [["status", "--json"], ["resume"]]);
    expect(JSON.parse(waiting?.stdout ?? "")).toMatchObject({
      goals: [{ phase: "paused", attention: { count: 1 } }],
    });
    expect(resumed).toMatchObject({ code: 0 });
    expect(await run.exited).toBe(0);
    const prompt = readFileSync(
      loop.session().path("iterations", "0002_work", "prompt.md"),
      "utf8",
    );
    expect(prompt).toContain("Prefer the existing mailer");
    await verified(loop);
  });
});
