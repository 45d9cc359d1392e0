import { readFileSync, statSync, writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { until } from "../crash/harness/wait.ts";
import { accountOf, records } from "./harness/account.ts";
import { useRooms } from "./harness/rooms.ts";
import type { Scratch } from "./harness/scratch.ts";
import { report, type Step } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 300_000 });
const createRoom = useRooms();

/** What each iteration does, and how it has to end. */
const WAYS: readonly {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly end: object;
}[] = [
  {
    name: "exits 0 without doing anything",
    steps: [],
    end: { outcome: "ok", succeeded: true, report: { state: "absent" }, progress: "none" },
  },
  {
    name: "prints invalid UTF-8",
    steps: [{ printBytes: "fffe41f09f98" }, { sleep: 60 }, { printBytes: "80c328ff0a" }, report()],
    end: { outcome: "ok" },
  },
  {
    name: "prints what breaks terminals and parsers",
    steps: [
      { print: '\u001b[2J\u0000\u2028</script>{"type":\n' },
      report({ summary: "a\u001b[31mb" }),
    ],
    end: { outcome: "ok" },
  },
  {
    name: "prints one endless line",
    steps: [{ print: "x".repeat(1 << 16), repeat: 800 }, report()],
    end: { outcome: "ok" },
  },
  { name: "floods 200 MB", steps: [{ flood: 200 }, report()], end: { outcome: "ok" } },
  {
    name: "floods stderr",
    steps: [{ flood: 20, to: "stderr" }, { exit: 2 }],
    end: { outcome: "failed", cause: "unknown", exit: { code: 2, signal: null } },
  },
  {
    name: "holds its output open",
    steps: [{ spawn: { keepStdout: true, ignoreTerm: true, pidFile: "{{out}}/pid" } }, report()],
    end: { outcome: "ok", leftovers: [{ ended: true }] },
  },
  {
    name: "exits with 137",
    steps: [{ exit: 137 }],
    end: { outcome: "failed", cause: "unknown", exit: { code: 137, signal: null } },
  },
  {
    name: "is killed",
    steps: [{ killSelf: "SIGKILL" }],
    end: { outcome: "failed", cause: "crash", exit: { code: null, signal: "SIGKILL" } },
  },
  {
    name: "asks on the terminal",
    steps: [{ openTty: true }, { git: ["commit", "--allow-empty"], cwd: "{{checkout}}" }, report()],
    end: { outcome: "ok" },
  },
  {
    name: "reads its prompt to the end",
    steps: [{ readStdin: true }, { write: "{{out}}/prompt", text: "{{stdin}}" }, report()],
    end: { outcome: "ok" },
  },
  {
    name: "fills its report with nonsense",
    steps: [{ write: "{{report}}", text: "DONE" }],
    end: { outcome: "ok", succeeded: true, report: { state: "invalid" } },
  },
];

test(`each ends for what it is, in bounded memory: ${WAYS.map(({ name }) => name).join(", ")}`, async () => {
  const wait = (name: string): Step => ({ waitForFile: `{{checkout}}/../${name}` });
  const iterations = Object.fromEntries(WAYS.map(({ steps }, index) => [String(index + 2), steps]));
  const last = WAYS.length + 2;
  const room = await createRoom({
    plan: { iterations: { ...iterations, 1: [wait("first")], [last]: [wait("last")] } },
    limits: { max_iterations: last, no_progress_after: null, workflow_failure_cap: 100 },
    configuration: { retention: { raw_log_cap: "1MB" } },
  });
  const run = room.start(["run"]);
  await until("the first agent", () => room.witnessed().length === 1);
  const idle = memory(room);
  writeFileSync(room.file("first"), "");
  await until("the last agent", () => room.witnessed().length === last, 240_000);
  const after = memory(room);
  writeFileSync(room.file("last"), "");
  expect(await run.exited).toBe(10);

  const finished = records(room, "task_finished").slice(1, -1);
  for (const [index, { name, end }] of WAYS.entries())
    expect({ name, ...finished[index] }).toMatchObject({ name, ...end });
  // 270 MB went through the worker, 50 of them without a line's end.
  expect(after.worker - idle.worker).toBeLessThan(120 << 20);
  expect(after.coordinator - idle.coordinator).toBeLessThan(60 << 20);

  const directory = (index: number): string =>
    room.session().path("iterations", `${String(index + 2).padStart(4, "0")}_work`);
  for (const index of WAYS.keys()) {
    expect(statSync(`${directory(index)}/output.log`).size).toBeLessThan(1_100_000);
    expect(() => statSync(`${directory(index)}/stdout.raw`)).toThrow();
  }
  const at = (name: string): string => directory(WAYS.findIndex((way) => way.name === name));
  expect(
    readFileSync(`${at("prints invalid UTF-8")}/output.log`).includes(
      Buffer.from("fffe41f09f9880c328ff0a", "hex"),
    ),
  ).toBe(true);
  expect(readFileSync(`${at("asks on the terminal")}/output.log`, "utf8")).toMatch(
    /tty: E\w+\n[^]*git failed/,
  );
  expect(readFileSync(`${at("reads its prompt to the end")}/out/prompt`, "utf8")).toBe(
    readFileSync(`${at("reads its prompt to the end")}/prompt.md`, "utf8"),
  );

  const { show } = await accountOf(room);
  expect(show.stdout).not.toContain("\u001b[31m");
});

test("an agent whose program is gone pauses the session for a person, and costs nobody's patience", async () => {
  const room = await createRoom({
    agent: { command: ["./agent.sh"] },
    files: { "agent.sh": "#!/bin/sh\nrm ./agent.sh\n" },
  });
  const run = room.start(["run"]);
  await until("the session to pause", () => records(room, "paused")[0]);
  expect(records(room, "task_finished")).toMatchObject([
    { outcome: "ok" },
    { outcome: "bootstrap_failed", cause: "config", started: false, counted: false },
  ]);
  const status = await room.call(["status"]);
  expect(status.stdout).toMatch(/paused \(config\).*agent\.sh[^]*loopwright resume/);
  expect((await room.call(["stop"])).code).toBe(0);
  expect(await run.exited).toBe(10);
  const { goal } = await accountOf(room);
  expect(goal).toMatchObject({ status: "stopped", stop_reason: "user_stop" });
});

interface Memory {
  readonly worker: number;
  readonly coordinator: number;
}

/** Bytes that each has had in memory at most so far. */
function memory(room: Scratch): Memory {
  const peak = (role: "worker" | "coordinator"): number => {
    const [row] = room.withRole(role);
    if (row === undefined) throw new Error(`there is no ${role}`);
    return (
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${row.pid}/status`, "utf8"))?.[1]) * 1024
    );
  };
  return { worker: peak("worker"), coordinator: peak("coordinator") };
}
