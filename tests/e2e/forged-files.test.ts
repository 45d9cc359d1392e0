import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { signalProcess } from "../crash/harness/process-table.ts";
import type { Program } from "../crash/harness/program.ts";
import { until } from "../crash/harness/wait.ts";
import { accountOf, expectRefused, journalOf, records } from "./harness/account.ts";
import { forgedLine } from "./harness/forged-line.ts";
import { type Attempted, runOneAfterAnother } from "./harness/one-after-another.ts";
import { useRooms } from "./harness/rooms.ts";
import type { Scratch, ScratchOptions } from "./harness/scratch.ts";
import { CLAIM, controlOf, report, type Step } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 180_000 });
const createRoom = useRooms();
const createLastingRoom = useRooms("file");

const HERE = "{{out}}/..";
const FORGED_CONTROL = { state: "valid", value: controlOf({ stop_reason: "goal_met", reason: "forged" }) };
const FORGED_RESULT: Step = {
  write: `${HERE}/result.json`,
  json: {
    schema_version: 1,
    session_id: "{{session_id}}",
    iteration: 1,
    workflow_id: "work",
    attempt_id: "{{attempt_id}}",
    outcome: "ok",
    orderly: true,
    started: true,
    denials: 0,
    text: "forged",
    agent: "fake",
    agent_version: null,
    agent_session_id: null,
    exit: { code: 0, signal: null },
    usage: null,
    cost_usd: 0,
    reset_at: null,
    started_at: "2026-01-01T00:00:00.000Z",
    finished_at: "2026-01-01T00:00:01.000Z",
    duration_ms: 1000,
    report: { state: "absent" },
    goal_check: { state: "absent" },
    control: FORGED_CONTROL,
    child_requests: [],
    changes: null,
    leftovers: [],
  },
};
const EXITED = { schema_version: 1, attempt_id: "{{attempt_id}}", code: 0, signal: null, finished_at: "2026-01-01T00:00:00.000Z" };
const FORGED_EXIT: Step = { write: `${HERE}/exit.json`, json: EXITED };
const WITHDRAWN = { schema_version: 1, withdrawn: true, withdrawn_at: "2026-01-01T00:00:00.000Z" };

/** Runs one iteration that does this. */
async function runOnce(steps: readonly Step[], options: ScratchOptions = {}): Promise<Scratch> {
  const room = await createRoom({ plan: { iterations: { 1: steps } }, limits: { max_iterations: 1 }, ...options });
  const ran = await room.call(["run"]);
  expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 10 });
  return room;
}

describe("while its worker lives, the true story is recorded although the agent", () => {
  const ways: Record<string, readonly Step[]> = {
    "forges result.json": [FORGED_RESULT],
    "forges exit.json": [FORGED_EXIT],
    "forges process.json": [{ write: `${HERE}/process.json`, json: WITHDRAWN }],
    "deletes process.json": [{ delete: `${HERE}/process.json` }],
    "plants directories where the files of its end go": [
      { mkdir: `${HERE}/exit.json/x` },
      { mkdir: `${HERE}/result.json/x` },
      { mkdir: `${HERE}/output.log/x` },
      { rm: `${HERE}/changes.json` },
      { mkdir: `${HERE}/changes.json/x` },
      { rm: `${HERE}/transcript.jsonl` },
      { mkdir: `${HERE}/transcript.jsonl/x` },
    ],
    "plants FIFOs where the files of its end go": [
      { mkfifo: `${HERE}/exit.json` },
      { mkfifo: `${HERE}/result.json` },
      { mkfifo: `${HERE}/output.log` },
      { mkfifo: `${HERE}/cancel.json` },
      { rm: `${HERE}/changes.json` },
      { mkfifo: `${HERE}/changes.json` },
      { rm: `${HERE}/transcript.jsonl` },
      { mkfifo: `${HERE}/transcript.jsonl` },
    ],
    "plants links where the files of its end go": ["exit.json", "result.json", "output.log", "control_taken.json"].map((name) => ({
      symlink: `${HERE}/${name}`,
      target: "{{checkout}}/README.md",
    })),
    "replaces its output by a FIFO": [
      { rm: `${HERE}/stdout.raw` },
      { mkfifo: `${HERE}/stdout.raw` },
      { rm: `${HERE}/stderr.raw` },
      { mkfifo: `${HERE}/stderr.raw` },
    ],
    "deletes its iteration's directory": [{ rm: HERE }],
    "deletes project_state": [{ rm: "{{project_state}}" }],
    "replaces project_state by a link": [{ rm: "{{project_state}}" }, { symlink: "{{project_state}}", target: "/" }],
    "deletes all iterations and evaluations": [{ rm: "{{session}}/iterations" }, { rm: "{{session}}/evaluations" }],
  };
  let attempted: Attempted;
  beforeAll(async () => {
    attempted = await runOneAfterAnother(createLastingRoom, ways, { then: [{ print: "last words\n" }, { exit: 3 }] });
  }, 300_000);

  for (const name of Object.keys(ways)) {
    test(name, () => {
      const finished = attempted.finished(name);
      expect(finished).toMatchObject({ outcome: "failed", cause: "unknown", exit: { code: 3 } });
      expect(finished["control"].state).not.toBe("valid");
    });
  }

  test("and nothing of ours was written through a link", () => {
    expect(readFileSync(attempted.room.source("README.md"), "utf8")).toBe("# A scratch project\n");
  });
});

describe("what stands in the place of a report hangs nothing and is no report:", () => {
  const ways: Record<string, { readonly steps: readonly Step[]; readonly reason: RegExp }> = {
    "a FIFO": { steps: [{ mkfifo: "{{report}}" }, { mkfifo: "{{control}}" }], reason: /regular file/ },
    "a link": { steps: [{ symlink: "{{report}}", target: "/etc/passwd" }], reason: /link/ },
    "a hard link": { steps: [{ run: ["ln", "{{goal}}", "{{report}}"] }], reason: /more than one name/ },
    "a sparse file of 1 GB": { steps: [{ run: ["truncate", "-s", "1G", "{{report}}"] }], reason: /larger/ },
    "a directory": { steps: [{ mkdir: "{{report}}" }], reason: /regular file/ },
    "a link in place of out": { steps: [{ rm: "{{out}}" }, { symlink: "{{out}}", target: "/tmp" }], reason: /link/ },
    "the report of an attempt before": { steps: [report({ attempt_id: "0".repeat(26) })], reason: /another attempt/ },
    "half a report": { steps: [{ write: "{{report}}", text: '{"schema_version": 1,' }], reason: /not JSON/ },
    "a report without a summary": { steps: [report({ summary: "" })], reason: /summary/ },
  };
  let attempted: Attempted;
  beforeAll(async () => {
    const steps = Object.fromEntries(Object.entries(ways).map(([name, way]) => [name, way.steps]));
    attempted = await runOneAfterAnother(createLastingRoom, steps, { then: [] });
  }, 300_000);

  for (const [name, { reason }] of Object.entries(ways)) {
    test(name, () => {
      const report = { state: "invalid", reason: expect.stringMatching(reason) };
      expect(attempted.finished(name)).toMatchObject({ outcome: "ok", succeeded: true, report });
    });
  }
});

describe("what an agent plants for the next iteration is out of the way when it begins:", () => {
  const next = (number: number): string => `{{session}}/iterations/${String(number + 1).padStart(4, "0")}_work`;
  const evaluation = (number: number): string => `{{session}}/evaluations/${String(number + 1).padStart(4, "0")}-1`;
  /** Each gets the number of its own iteration. */
  const plants: Record<string, (number: number) => readonly Step[]> = {
    "a withdrawal": (n) => [{ write: `${next(n)}/process.json`, json: WITHDRAWN }],
    "a process that has exited well": (n) => [
      { mkdir: next(n) },
      { run: ["cp", `${HERE}/process.json`, `${next(n)}/process.json`] },
      { write: `${next(n)}/exit.json`, json: EXITED },
      { write: `${next(n)}/out/control.json`, json: controlOf({ stop_reason: "goal_met", reason: "planted" }) },
    ],
    "a FIFO as process.json": (n) => [{ mkdir: next(n) }, { mkfifo: `${next(n)}/process.json` }],
    "directories in place of files": (n) => ["process.json", "prompt.md", "stdout.raw"].map((name) => ({ mkdir: `${next(n)}/${name}` })),
    "links to elsewhere": (n) => [
      { mkdir: next(n) },
      { symlink: `${next(n)}/prompt.md`, target: "{{checkout}}/README.md" },
      { symlink: `${next(n)}/stdout.raw`, target: "{{checkout}}/README.md" },
      { symlink: `${next(n)}/out`, target: "{{checkout}}" },
    ],
    "a file in place of its directory": (n) => [{ write: next(n), text: "" }],
    "a link in place of its directory": (n) => [{ symlink: next(n), target: "{{checkout}}" }],
    "a receipt": (n) => [{ write: `${evaluation(n)}/receipt.json`, json: { schema_version: 1, outcome: "pass" } }, { mkfifo: `${evaluation(n)}/goal.log` }],
    "a file in place of a verification's directory": (n) => [{ write: evaluation(n), text: "" }],
    "a link in place of a verification's directory": (n) => [{ symlink: evaluation(n), target: "{{checkout}}" }],
    "a request to cancel": (n) => [{ write: `${next(n)}/cancel.json`, json: { schema_version: 1, attempt_id: "{{attempt_id}}", mode: "now" } }],
    "nothing, at the end": () => [],
  };
  const names = Object.keys(plants);
  let attempted: Attempted;
  beforeAll(async () => {
    const ways = Object.fromEntries(names.map((name, index) => [name, plants[name]?.(index + 1) ?? []]));
    attempted = await runOneAfterAnother(createLastingRoom, ways, { then: [report({ summary: "Ran itself." }), CLAIM] });
  }, 300_000);

  for (const [index, name] of names.slice(0, -1).entries()) {
    test(name, () => {
      const after = attempted.finished(names[index + 1] ?? "");
      expect(after).toMatchObject({ outcome: "ok", report: { state: "valid", value: { summary: "Ran itself." } }, control: { state: "valid" } });
      const verified = records(attempted.room, "verification_finished").filter(({ iteration }) => iteration === index + 2);
      expect(verified).toMatchObject([{ receipt: { outcome: "fail" } }]);
    });
  }

  test("each iteration started one agent", () => {
    expect(attempted.room.witnessed().map(({ iteration }) => iteration)).toEqual(names.map((_, index) => index + 1));
    expect(readFileSync(attempted.room.source("README.md"), "utf8")).toBe("# A scratch project\n");
    expect(existsSync(attempted.room.source("receipt.json"))).toBe(false);
  });
});

describe("after the worker was killed", () => {
  /** Kills it once the agent has done what it does, and lets `run` start the next one. */
  async function killWorker(steps: readonly Step[], then: readonly Step[]): Promise<Scratch> {
    const room = await createRoom({
      plan: { iterations: { 1: [...steps, { append: "{{checkout}}/../ready", text: "" }, { waitForFile: "{{checkout}}/../go" }, ...then] } },
      limits: { max_iterations: 1 },
    });
    const run = room.start(["run"]);
    await until("the agent to be ready", () => existsSync(room.file("ready")));
    const [worker] = room.withRole("worker");
    if (worker === undefined) throw new Error("no worker");
    signalProcess(worker, "SIGKILL");
    await until("another worker to be seated", () => records(room, "worker_seated").length === 2);
    writeFileSync(room.file("go"), "");
    expect(await run.exited).toBe(10);
    return room;
  }

  test("a result that its agent forged doesn't stand for the end of the agent", async () => {
    const room = await killWorker([FORGED_RESULT], [{ write: "{{checkout}}/late.txt", text: "" }, { exit: 3 }]);
    await expectRefused(room);
    expect(room.witnessed()).toHaveLength(1);
    expect(records(room, "task_finished")).toMatchObject([{ outcome: "failed", exit: { code: 3 } }]);
    expect(existsSync(room.source("late.txt"))).toBe(true);
  });

  test("an exit that its agent forged doesn't either", async () => {
    const room = await killWorker([FORGED_EXIT], [{ exit: 3 }]);
    await expectRefused(room);
    expect(room.witnessed()).toHaveLength(1);
    expect(records(room, "task_finished")).toMatchObject([{ outcome: "failed", exit: { code: 3 } }]);
  });

  test("a forged process.json lets nobody start a second agent beside the first", async () => {
    const room = await createRoom({
      plan: {
        iterations: {
          1: [
            { write: `${HERE}/process.json`, json: WITHDRAWN },
            { append: "{{checkout}}/../ready", text: "" },
            { waitForFile: "{{checkout}}/../never" },
          ],
        },
      },
      limits: { max_iterations: 2 },
    });
    const run = room.start(["run"]);
    await until("the agent to be ready", () => existsSync(room.file("ready")));
    const [first] = room.witnessed();
    const [worker] = room.withRole("worker");
    if (worker === undefined) throw new Error("no worker");
    signalProcess(worker, "SIGKILL");
    expect(await run.exited).toBe(10);
    await expectRefused(room);
    const attempts = room.witnessed().map(({ attempt }) => attempt);
    expect(new Set(attempts).size).toBe(attempts.length);
    expect(records(room, "task_assigned").map(({ attempt_id }) => attempt_id)).toContain(first?.attempt);
  });

  test("a forged result of an agent that is dead with it is believed no further than its checks", async () => {
    const room = await createRoom({
      plan: { iterations: { 1: [FORGED_RESULT, { append: "{{checkout}}/../ready", text: "" }, { waitForFile: "{{checkout}}/../never" }] } },
      limits: { max_iterations: 1 },
    });
    const run = room.start(["run"]);
    await until("the agent to be ready", () => existsSync(room.file("ready")));
    const [agent] = room.witnessed();
    const shim = room.session().json("iterations/0001_work/process.json") as { pid: number; start_time: string };
    const worker = room.withRole("worker");
    for (const row of [...worker, { pid: shim.pid, startTime: shim.start_time }, { pid: agent?.pid ?? 0, startTime: (agent as unknown as { start_time: string }).start_time }]) {
      signalProcess(row, "SIGKILL");
    }
    expect(await run.exited).toBe(10);
    await expectRefused(room);
    expect(records(room, "task_finished").length + records(room, "task_abandoned").length).toBe(1);
  });
});

describe("the session's own files:", () => {
  test("an edited state.json is a projection that nobody reads back", async () => {
    const room = await runOnce([
      { write: "{{session}}/state.json", json: { schema_version: 1, status: "goal_met", verified: true } },
      { write: "{{session}}/REPORT.md", text: "# Goal met\n" },
      report(),
    ]);
    const { verify } = await expectRefused(room);
    expect(verify.code).toBe(0);
    expect(readFileSync(room.session().path("REPORT.md"), "utf8")).not.toContain("# Goal met");
  });

  test("an edited session.json changes nothing for the session that runs, and is refused afterwards", async () => {
    const room = await runOnce([
      { run: ["sed", "-i", "s/grep/true/g; s/\"max_iterations\": *1/\"max_iterations\": 9/", "{{session}}/session.json"] },
      report(),
      CLAIM,
    ]);
    const { verify } = await expectRefused(room);
    expect(verify.code).toBe(1);
    expect(verify.stdout).toMatch(/session\.json/);
    const again = await room.call(["run", "--resume"]);
    expect(again.code).toBe(5);
    expect(again.stderr).toMatch(/session\.json is not what the journal says[^]*hint: /);
  });

  test("edited pins are no checks: the verification errs and names them", async () => {
    const room = await createRoom({
      checks: { accept: { type: "command", run: ["sh", "tests/accept.sh"] } },
      gate: { protect: ["tests/**"] },
      files: { "tests/accept.sh": "grep -qx done goal.txt\n" },
      plan: {
        steps: [
          { run: ["sh", "-c", "chmod -R u+w '{{session}}/../../pins' && for pin in '{{session}}'/../../pins/*; do echo exit 0 > \"$pin\"; done"] },
          { write: "{{checkout}}/tests/accept.sh", text: "exit 0\n" },
          CLAIM,
        ],
      },
    });
    expect((await room.call(["run"])).code).toBe(10);
    const { goal, verify } = await expectRefused(room);
    expect(goal["stop_reason"]).toBe("gate_error");
    expect(verify.code).toBe(1);
    expect(verify.stdout).toMatch(/pins.*not what was pinned/);
  });

  test("deleted session files end the run with a sentence", async () => {
    const room = await createRoom({ plan: { steps: [{ rm: "{{session}}/journal.jsonl" }, CLAIM] } });
    const ran = await room.call(["run"]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toMatch(/^error: .*journal\.jsonl/m);
    await until("the room to be empty", () => room.processes().length === 0);
    const status = await room.call(["status"]);
    expect(status.stdout).toMatch(/journal/);
    expect(status.stdout).not.toMatch(/goal met/);
  });
});

describe("somebody writes into the journal while its coordinator lives:", () => {
  /** Runs up to the moment that the agent runs, changes the journal, and lets all of it go on. */
  async function change(how: (journal: string, text: string) => void): Promise<{ room: Scratch; run: Program }> {
    const room = await createRoom({
      plan: { iterations: { 1: [{ append: "{{checkout}}/../ready", text: "" }, { waitForFile: "{{checkout}}/../go" }, report()] } },
      limits: { max_iterations: 1 },
    });
    const run = room.start(["run"]);
    await until("the agent to be ready", () => existsSync(room.file("ready")));
    const { journal } = room.session();
    how(journal, readFileSync(journal, "utf8"));
    return { room, run };
  }

  for (const [name, forge] of Object.entries({
    "garbage behind it": () => "garbage\n",
    "half a line behind it": () => '{"seq":',
    "a forged end that follows from nothing": (text: string) => forgedLine(text, [stopped()]),
    "a forged end under the next epoch": (text: string) => forgedLine(text, [stopped()], { epochs: 1 }),
    "a limit that nobody raised": (text: string) =>
      forgedLine(text, [{ type: "limit_raised", data: { limit: "max_iterations", from: 1, to: 100, by: "user" } }]),
  })) {
    test(`${name} is undone, told, and decides nothing`, async () => {
      const { room, run } = await change((journal, text) => appendFileSync(journal, forge(text)));
      await until("it to be undone", () => journalOf(room).faults.length === 0 && records(room, "session_stopped").length === 0);
      writeFileSync(room.file("go"), "");
      expect(await run.exited).toBe(10);
      expect(run.stdout()).not.toMatch(/Goal met/);
      const { goal, verify } = await expectRefused(room);
      expect(goal["stop_reason"]).toBe("max_iterations");
      expect(verify.code).toBe(0);
      if (name !== "half a line behind it") expect(records(room, "journal_repaired")).toHaveLength(1);
    });
  }

  for (const [name, damage, says] of [
    ["a changed letter in an old line", (text: string) => text.replace("session_started", "session_Started"), /journal\.jsonl:1/],
    ["a line cut out", (text: string) => text.split("\n").filter((_, index) => index !== 1).join("\n"), /journal\.jsonl:2/],
    ["lines cut off", (text: string) => `${text.split("\n").slice(0, 2).join("\n")}\n`, /state\.json: it disagrees with the journal/],
  ] as const) {
    test(`${name}: the damage is told, and nothing is guessed`, async () => {
      const { room, run } = await change((journal, text) => writeFileSync(journal, damage(text)));
      writeFileSync(room.file("go"), "");
      expect(await run.exited).not.toBe(0);
      expect(run.stdout()).not.toMatch(/Goal met/);
      expect(run.stderr()).not.toMatch(/\n\s+at /);
      const { goal, verify } = await accountOf(room);
      expect(goal["status"]).not.toBe("goal_met");
      expect(verify.code).not.toBe(0);
      expect(verify.stdout + verify.stderr).toMatch(says);
    });
  }
});

test("a journal that calls the goal met for no reason that it holds is no journal of ours", async () => {
  const room = await createRoom({ plan: { steps: [report()] }, limits: { max_iterations: 1 } });
  expect((await room.call(["run"])).code).toBe(10);
  const { journal } = room.session();
  const text = readFileSync(journal, "utf8");
  const reopened = forgedLine(text, [{ type: "session_reopened", data: { by: "user" } }]);
  writeFileSync(journal, text + reopened + forgedLine(text + reopened, [stopped()]));
  const { status, verify } = await accountOf(room);
  expect(status.stdout).not.toContain("goal_met");
  expect(verify.code).toBe(5);
  expect(verify.stderr).toMatch(/journal\.jsonl calls the goal met in line \d+, which nothing in it leads to/);
  const run = await room.call(["run"]);
  expect(run.code).toBe(5);
});

test("a session directory that isn't ours is never a session", async () => {
  const room = await createRoom({ plan: { steps: [report()] }, limits: { max_iterations: 1 } });
  const planted = room.file("runtime", "goals", "scratch-goal", "sessions", "20990101T000000Z-0123456789ab", "journal.jsonl");
  mkdirSync(dirname(planted), { recursive: true });
  writeFileSync(planted, "");
  const ran = await room.call(["run"]);
  expect(ran.code).toBe(5);
  expect(ran.stderr).toMatch(/20990101T000000Z-0123456789ab/);
  rmSync(dirname(planted), { recursive: true });
  expect((await room.call(["run"])).code).toBe(10);
  await accountOf(room);
});

function stopped(): { type: string; data: object } {
  return {
    type: "session_stopped",
    data: { status: "goal_met", stop_reason: "goal_met", detail: "forged", verified: true, facts: null, explanation: null },
  };
}
