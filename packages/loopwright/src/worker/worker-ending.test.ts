import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeWorkPlace, SEAMS, type WorkPlace } from "./testing/work-place.ts";
import { runTask } from "./testing/run-tasks.ts";

let place: WorkPlace;
beforeEach(() => {
  place = makeWorkPlace();
});
afterEach(() => place.remove());

const STUBBORN = { spawn: { setsid: true, ignoreTerm: true, keepStdout: true, pidFile: "pid" } };

/** Whoever wrote its pid there is gone. */
function isGone(file: string): boolean {
  return (
    SEAMS.processes.info(Number(readFileSync(join(place.checkout, file), "utf8"))) === undefined
  );
}

describe("limits", () => {
  test("an agent and its stubborn child are gone before timed_out is reported", async () => {
    const steps = [
      { ignoreSignal: ["SIGTERM", "SIGINT"] },
      STUBBORN,
      { append: "dots", text: ".", times: 1000, every: 50 },
    ];
    const found = await runTask(place, place.task(steps, { limits: { timeout_ms: 1_500 } }));
    expect(found).toMatchObject({ outcome: "timed_out", orderly: false, leftovers: [] });
    expect(isGone("pid")).toBe(true);
    const { size } = statSync(join(place.checkout, "dots"));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(statSync(join(place.checkout, "dots")).size).toBe(size);
  });

  test("silent and alive past the limit is silent, whether it ever printed or not", async () => {
    const limits = { silence_ms: 700 };
    const never = await runTask(place, place.task([{ sleep: 20_000 }], { limits }));
    const once = await runTask(place, place.task([{ print: "x" }, { sleep: 20_000 }], { limits }));
    expect([never.outcome, once.outcome]).toEqual(["silent", "silent"]);
    expect(never.evidence).not.toBe(once.evidence);
    expect(once.text).toBe("x");
  });

  test("any byte counts: dots for longer than the silence limit are not silence", async () => {
    const dots = Array.from({ length: 12 }, () => [{ print: "." }, { sleep: 150 }]).flat();
    const found = await runTask(place, place.task(dots, { limits: { silence_ms: 1_200 } }));
    expect(found).toMatchObject({ outcome: "ok", text: "............" });
  });

  test("an agent that stays after its final event is ended", async () => {
    const steps = [{ event: { type: "final", ok: true } }, { sleep: 120_000 }];
    const task = place.task(steps, { agent: { dialect: "json-lines" } });
    const found = await runTask(place, task, { grace: { term: 200, afterFinal: 500 } });
    expect(found).toMatchObject({
      outcome: "failed",
      orderly: false,
      evidence: "did not exit after its final event",
    });
  });
});

test("cancel.json of this attempt ends everything, one of another attempt nothing", async () => {
  const task = place.task([STUBBORN, { print: "up" }, { sleep: 60_000 }]);
  const running = runTask(place, task);
  await expect.poll(() => existsSync(join(place.checkout, "pid")), { timeout: 15_000 }).toBe(true);
  const cancel = (attempt_id: string): void =>
    writeFileSync(
      place.layout(task).cancel,
      JSON.stringify({ schema_version: 1, attempt_id, mode: "now" }),
    );
  cancel("0".repeat(26));
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect(isGone("pid")).toBe(false);
  cancel(task.attempt_id);
  expect(await running).toMatchObject({ outcome: "cancelled", orderly: false, text: "up" });
  expect(isGone("pid")).toBe(true);
});

describe("the end of an agent", () => {
  test("a child that holds stdout open doesn't hold the iteration, and is named and ended", async () => {
    const child = { spawn: { keepStdout: true, listen: 0, portFile: "port", pidFile: "pid" } };
    const found = await runTask(
      place,
      place.task([child, { waitForFile: "port" }, { print: "done\n" }]),
    );
    expect(found).toMatchObject({ outcome: "ok", text: "done\n" });
    const port = Number(readFileSync(join(place.checkout, "port"), "utf8"));
    expect(found.leftovers).toMatchObject([{ ended: true, ports: [port] }]);
    expect(isGone("pid")).toBe(true);
  });

  test("exit codes and signals are told apart", async () => {
    const killed = await runTask(place, place.task([{ killSelf: "SIGKILL" }]));
    const code = await runTask(
      place,
      place.task([{ print: "boom\n", to: "stderr" }, { exit: 137 }]),
    );
    expect(killed).toMatchObject({
      outcome: "failed",
      cause: "crash",
      exit: { code: null, signal: "SIGKILL" },
    });
    expect(code).toMatchObject({
      outcome: "failed",
      cause: "unknown",
      exit: { code: 137, signal: null },
    });
    expect(code.evidence).toBe("exit code 137; last line of stderr: boom");
  });

  test("no output and exit 0 is ok", async () => {
    expect(await runTask(place, place.task([]))).toMatchObject({ outcome: "ok", text: "" });
  });

  test("bad UTF-8 changes nothing, and a character in two halves is whole", async () => {
    const steps = [
      { printBytes: "fffe" },
      { printBytes: "f09f" },
      { sleep: 80 },
      { printBytes: "9880" },
    ];
    const found = await runTask(place, place.task(steps));
    expect(found).toMatchObject({ outcome: "ok", text: "\uFFFD\uFFFD\u{1F600}" });
  });
});

describe("floods", () => {
  test(
    "200 MB and one endless line end as ok with bounded memory and a marked log",
    { timeout: 120_000 },
    async () => {
      const before = process.memoryUsage.rss();
      const lines = place.task([{ flood: 200 }, { print: "the end" }]);
      const endless = place.task([{ flood: 60, line: 1 << 26 }]);
      const found = await runTask(place, lines);
      expect(found).toMatchObject({ outcome: "ok", text: expect.stringMatching(/the end$/) });
      expect(found.text.length).toBeLessThanOrEqual(65_536);
      expect(await runTask(place, endless)).toMatchObject({ outcome: "ok" });
      expect(process.memoryUsage.rss() - before).toBeLessThan(250 * 1024 * 1024);
      const log = readFileSync(place.layout(lines).output, "utf8");
      expect(log.length).toBeLessThan(1_100_000);
      expect(log).toMatch(/--- \d+ bytes left out ---/);
      expect(log).toMatch(/the end$/);
      expect(statSync(place.layout(lines).transcript).size).toBeLessThan(1_100_000);
    },
  );
});

test("json lines: usage is priced, a refused last action is denied, words decide nothing", async () => {
  const agent = {
    dialect: "json-lines",
    price: { input_usd_per_1m: 2, output_usd_per_1m: 10 },
  } as const;
  const steps = [
    { print: "I must not say DONE yet; is_error: false\n" },
    { event: { type: "session", id: "s-1", model: "m" } },
    { event: { type: "usage", input_tokens: 1_000_000, output_tokens: 100_000 } },
    { event: { type: "denied", action: "rm" } },
    { event: { type: "something_new", deep: { x: 1 } } },
    { event: { type: "final", ok: true, text: "all fine" } },
  ];
  const found = await runTask(place, place.task(steps, { agent }));
  expect(found).toMatchObject({
    outcome: "denied",
    denials: 1,
    text: "all fine",
    agent_session_id: "s-1",
    cost_usd: 3,
    usage: { input_tokens: 1_000_000, cached_input_tokens: null, basis: "invocation" },
  });
  const nothing = await runTask(place, place.task([{ print: "final, really\n" }], { agent }));
  expect(nothing).toMatchObject({
    outcome: "no_result",
    orderly: false,
    usage: null,
    cost_usd: null,
  });
});
