import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { fileURLToPath } from "node:url";
import { until } from "../crash/harness/wait.ts";
import { callAll } from "./harness/account.ts";
import { createScratch, GOAL, type Scratch } from "./harness/scratch.ts";
import { CLAIM, DONE, report } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 180_000 });

const MAIN = fileURLToPath(new URL("../../packages/loopwright/src/cli/main.ts", import.meta.url));

let scratch: Scratch | undefined;
afterEach(async () => {
  await scratch?.close();
  scratch = undefined;
});

test("coordinator and worker run alone; events and logs are followed while they do", async () => {
  const loop = (scratch = await createScratch());
  loop.plan({
    steps: [
      { print: "one\n" },
      { waitForFile: loop.file("go") },
      { print: "two\n" },
      DONE,
      report(),
      CLAIM,
    ],
  });
  const coordinator = loop.start(["coordinator"]);
  await until("it to serve", () => coordinator.stdout().includes("is served at http://127.0.0.1:"));
  const second = await loop.call(["coordinator"]);
  expect(second).toMatchObject({ code: 3 });
  expect(second.stderr).toContain("(LOCK_HELD)");

  const worker = loop.start(["worker"]);
  await until("the agent to start", () => loop.witnessed().length === 1);
  const other = await loop.call(["worker"]);
  expect(other).toMatchObject({ code: 3 });
  expect(other.stderr).toContain("(SEAT_TAKEN)");

  const events = loop.start(["events", "--follow", "--json"]);
  const logs = loop.start(["logs", "latest", "1", "--follow"]);
  await until(
    "both to have begun",
    () => events.stdout().includes("task_assigned") && logs.stdout() === "one\n",
  );
  // It looks again when the worker has long put the agent's output in its last place.
  process.kill(logs.pid, "SIGSTOP");
  loop.write("../go", "");
  expect(await Promise.all([coordinator, worker, events].map(({ exited }) => exited))).toEqual([
    0, 0, 0,
  ]);
  process.kill(logs.pid, "SIGCONT");
  expect(await logs.exited).toBe(0);
  const last = JSON.parse(events.stdout().trim().split("\n").at(-1) ?? "") as object;
  expect(last).toMatchObject({ type: "session_stopped", data: { status: "goal_met" } });
  expect(logs.stdout()).toBe("one\ntwo\n");
});

test("a worker elsewhere joins by URL, with its token on stdin and never in its arguments", async () => {
  const loop = (scratch = await createScratch({ plan: { steps: [DONE, report(), CLAIM] } }));
  const coordinator = loop.start(["coordinator", "--json"]);
  await until("it to serve", () => coordinator.stdout().endsWith("\n"));
  const { url } = JSON.parse(coordinator.stdout()) as { url: string };
  const without = await loop.call(["worker", "--coordinator", url], { stdin: "" });
  expect(without).toMatchObject({ code: 2 });
  const { worker_token: token } = JSON.parse(
    readFileSync(loop.session().path("coordinator.json"), "utf8"),
  ) as { worker_token: string };
  const worker = await loop.call(["worker", "--coordinator", url], { stdin: `${token}\n` });
  expect(worker.code).toBe(0);
  expect(await coordinator.exited).toBe(0);
});

test("doctor finds what crashes leave, and repairs what is safe to", async () => {
  const loop = (scratch = await createScratch({
    plan: { steps: [{ spawn: { setsid: true, ignoreTerm: true } }, report()] },
    limits: { max_iterations: 1 },
  }));
  expect((await loop.call(["run"])).code).toBe(10);
  // Nothing of the agent was left: the sweep ended it. Something with its mark that is started by hand is a leftover.
  const { attempt } = loop.session().lastTask() ?? { attempt: "" };
  const stray = loop.start(["status", "--watch"], { environment: { LOOPWRIGHT_ATTEMPT: attempt } });
  await until("it to run", () => stray.stdout() !== "");

  const sessions = loop.file("runtime", "goals", GOAL, "sessions");
  mkdirSync(`${sessions}/.creating-0123456789abcdef`);
  const lock = `${loop.file("runtime", "goals", GOAL, "locks")}/coordinator.99`;
  const holder = { host: "elsewhere", pid_namespace: "1", boot_id: "1", pid: 1, start_time: "1" };
  writeFileSync(
    lock,
    JSON.stringify({
      schema_version: 1,
      epoch: 99,
      holder,
      taken_at: "",
      purpose: "goal",
      goal_id: GOAL,
    }),
  );

  const [found, safe] = await callAll(loop, [
    ["doctor", "--json"],
    ["doctor", "--fix", "--json"],
  ]);
  expect(found).toMatchObject({ code: 1 });
  expect(found?.stdout).toContain(`belongs to attempt ${attempt}, which has ended`);
  const { diagnoses } = JSON.parse(found?.stdout ?? "") as {
    diagnoses: { finding: string; hint?: string }[];
  };
  expect(diagnoses).toContainEqual(
    expect.objectContaining({
      state: "warning",
      finding: expect.stringContaining("was never finished"),
    }),
  );
  expect(diagnoses).toContainEqual(
    expect.objectContaining({
      finding: expect.stringContaining("process 1 on elsewhere"),
      hint: expect.stringContaining("doctor --fix --take-over"),
    }),
  );
  // Nobody can say that the holder is gone, so nothing of the goal is touched.
  expect(safe).toMatchObject({ code: 1 });
  expect(await stray.exited).toBe("SIGTERM");
  expect(existsSync(`${sessions}/.creating-0123456789abcdef`)).toBe(true);
  const [freed, again] = await callAll(loop, [
    ["doctor", "--fix", "--take-over"],
    ["doctor", "--fix"],
  ]);
  expect(freed?.stdout).toContain("the lock is free");
  expect(again).toMatchObject({ code: 0 });
  expect(existsSync(`${sessions}/.creating-0123456789abcdef`)).toBe(false);
  expect((await loop.call(["resume", "--max-iterations", "+1"])).code).toBe(10);
});

test("output to a reader who leaves ends quietly, but never with a code that says something", async () => {
  const loop = (scratch = await createScratch({ plan: { steps: [DONE, report(), CLAIM] } }));
  await loop.call(["run"]);
  const lw = `node --conditions=loopwright-source ${MAIN}`;
  // What is right behind it says nothing before `true` has long ended.
  const script = [
    `${lw} events | head -n 1; echo "events \${PIPESTATUS[0]}"`,
    `${lw} show nothing 2>&1 >/dev/null | true; echo "show \${PIPESTATUS[0]}"`,
    `${lw} run --new | true; echo "run \${PIPESTATUS[0]}"`,
  ].join("\n");
  const text = execFileSync("bash", ["-c", `exec 2>&1\n${script}`], {
    cwd: loop.repository,
    env: { ...loop.environment },
    encoding: "utf8",
  });
  expect(text).toMatch(/^1\.0 .*session_started.*\nevents 0\nshow 4\n[^]*run 141\n$/);
});
