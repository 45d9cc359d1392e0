import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeWorkPlace, type WorkPlace } from "./testing/work-place.ts";
import { runTask, runTasks } from "./testing/run-tasks.ts";

let place: WorkPlace;
beforeEach(() => {
  place = makeWorkPlace();
});
afterEach(() => place.remove());

const CLAIM = {
  schema_version: 1,
  attempt_id: "{{attempt_id}}",
  state: "stopped",
  stop_reason: "goal_met",
  reason: "x",
};

describe("what an agent plants in out/", () => {
  test("a FIFO as report hangs nothing and is refused with the reason", async () => {
    const { report, outcome } = await runTask(place, place.task([{ mkfifo: "{{report}}" }]));
    expect(report).toEqual({ state: "invalid", reason: "is not a regular file" });
    expect(outcome).toBe("ok");
  });

  test("a link as report shows nothing of what it points at", async () => {
    const secret = join(place.root, "secret");
    writeFileSync(secret, JSON.stringify({ schema_version: 1, summary: "secret" }));
    const { report } = await runTask(
      place,
      place.task([{ symlink: "{{report}}", target: secret }]),
    );
    expect(report).toEqual({ state: "invalid", reason: "is a symbolic link" });
  });

  test("a link in place of out/ is not followed, neither for reading nor for taking control", async () => {
    const elsewhere = join(place.root, "elsewhere");
    const control = join(elsewhere, "control.json");
    const found = await runTask(
      place,
      place.task([
        { mkdir: elsewhere },
        { write: control, json: CLAIM },
        { rm: "{{out}}" },
        { symlink: "{{out}}", target: elsewhere },
      ]),
    );
    expect(found.control.state).not.toBe("valid");
    expect(found.report.state).toBe("invalid");
    expect(existsSync(control)).toBe(true);
  });

  test("a directory, a broken and a huge control are kept as invalid", async () => {
    const huge = [
      { flood: 1, to: "stderr" },
      { write: "{{control}}", text: "x".repeat(300_000) },
    ];
    const [directory, broken, large] = await runTasks(place, [
      place.task([{ mkdir: "{{control}}" }]),
      place.task([{ write: "{{control}}", text: "{not json" }]),
      place.task(huge),
    ]);
    expect(directory?.control).toMatchObject({ state: "invalid" });
    expect(broken?.control).toMatchObject({ state: "invalid", text: "{not json" });
    expect(large?.control).toMatchObject({
      state: "invalid",
      reason: "is larger than 262144 bytes",
    });
  });

  test("a report that names another attempt is no account of this one", async () => {
    const json = { schema_version: 1, attempt_id: "0".repeat(26), summary: "old" };
    const { report } = await runTask(place, place.task([{ write: "{{report}}", json }]));
    expect(report).toMatchObject({
      state: "invalid",
      reason: expect.stringContaining("another attempt"),
    });
  });

  test("child requests are read by name, and what isn't one is kept with the reason", async () => {
    const request = { schema_version: 1, request_id: "one", workflow_set: "single", goal: "g" };
    const { child_requests } = await runTask(
      place,
      place.task([
        { write: "{{child_requests}}/b.json", json: request },
        { write: "{{child_requests}}/a.json", text: "[]" },
        { write: "{{child_requests}}/c.txt", text: "no" },
      ]),
    );
    expect(child_requests.map(({ name, document }) => [name, document.state])).toEqual([
      ["a.json", "invalid"],
      ["b.json", "valid"],
    ]);
  });
});

test("a control written after the iteration by a child in a session of its own isn't seen", async () => {
  const late = [
    { sleep: 60_000 },
    { write: "{{control}}", json: CLAIM },
    { append: "late.txt", text: "late" },
  ];
  const [first] = await runTasks(place, [place.task([{ spawn: { setsid: true, steps: late } }])]);
  expect(first?.control).toEqual({ state: "absent" });
  expect(first?.leftovers).toMatchObject([{ ended: true }]);
  expect(existsSync(join(place.checkout, "late.txt"))).toBe(false);
});

test("a forged result.json, as file or as directory, is replaced by the true one", async () => {
  const forge = { write: "{{out}}/../result.json", json: { outcome: "ok", forged: true } };
  const one = place.task([forge, { exit: 3 }]);
  const two = place.task([{ mkdir: "{{out}}/../result.json/x" }, { exit: 3 }]);
  for (const found of await runTasks(place, [one, two])) expect(found.outcome).toBe("failed");
  for (const task of [one, two]) {
    expect(JSON.parse(readFileSync(place.layout(task).result, "utf8"))).toMatchObject({
      outcome: "failed",
      exit: { code: 3 },
    });
  }
});

test("secrets are in no text, report, log or transcript, also when printed in two halves", async () => {
  const secret = "hunter2-and-more-secret";
  const half = secret.length / 2;
  const task = place.task(
    [
      { print: `key ${secret.slice(0, half)}` },
      { sleep: 60 },
      { print: `${secret.slice(half)} end\nAuthorization: Bearer abcdefgh12345678\n` },
      {
        write: "{{report}}",
        json: { schema_version: 1, attempt_id: "{{attempt_id}}", summary: `used ${secret}` },
      },
    ],
    { agent: { env: { MY_API_KEY: secret } } },
  );
  const found = await runTask(place, task);
  const layout = place.layout(task);
  const texts = [
    JSON.stringify(found),
    ...[layout.output, layout.transcript, layout.result].map((path) => readFileSync(path, "utf8")),
  ];
  for (const text of texts) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain("abcdefgh12345678");
    expect(text).toContain("[redacted]");
  }
});
