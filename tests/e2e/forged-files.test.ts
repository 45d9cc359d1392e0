import { existsSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { records } from "./harness/account.ts";
import { EXITED, FORGED_EXIT, FORGED_RESULT, HERE, WITHDRAWN } from "./harness/forged-documents.ts";
import { type Attempted, runOneAfterAnother } from "./harness/one-after-another.ts";
import { useRooms } from "./harness/rooms.ts";
import { CLAIM, controlOf, report, type Step } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 180_000 });
const createLastingRoom = useRooms("file");

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
    "plants links where the files of its end go": [
      "exit.json",
      "result.json",
      "output.log",
      "control_taken.json",
    ].map((name) => ({
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
    "replaces project_state by a link": [
      { rm: "{{project_state}}" },
      { symlink: "{{project_state}}", target: "/" },
    ],
    "deletes all iterations and evaluations": [
      { rm: "{{session}}/iterations" },
      { rm: "{{session}}/evaluations" },
    ],
  };
  let attempted: Attempted;
  beforeAll(async () => {
    attempted = await runOneAfterAnother(createLastingRoom, ways, {
      atEnd: [{ print: "last words\n" }, { exit: 3 }],
    });
  }, 300_000);

  test.each(Object.keys(ways))("%s", (name) => {
    const finished = attempted.finished(name);
    expect(finished).toMatchObject({ outcome: "failed", cause: "unknown", exit: { code: 3 } });
    expect(finished?.control.state).not.toBe("valid");
  });

  test("and nothing of ours was written through a link", () => {
    expect(readFileSync(attempted.room.source("README.md"), "utf8")).toBe("# A scratch project\n");
  });
});

describe("what stands in the place of a report hangs nothing and is no report:", () => {
  const ways: Record<string, { readonly steps: readonly Step[]; readonly reason: RegExp }> = {
    "a FIFO": {
      steps: [{ mkfifo: "{{report}}" }, { mkfifo: "{{control}}" }],
      reason: /regular file/,
    },
    "a link": { steps: [{ symlink: "{{report}}", target: "/etc/passwd" }], reason: /link/ },
    "a hard link": {
      steps: [{ run: ["ln", "{{goal}}", "{{report}}"] }],
      reason: /more than one name/,
    },
    "a sparse file of 1 GB": {
      steps: [{ run: ["truncate", "-s", "1G", "{{report}}"] }],
      reason: /larger/,
    },
    "a directory": { steps: [{ mkdir: "{{report}}" }], reason: /regular file/ },
    "a link in place of out": {
      steps: [{ rm: "{{out}}" }, { symlink: "{{out}}", target: "/tmp" }],
      reason: /link/,
    },
    "the report of an attempt before": {
      steps: [report({ attempt_id: "0".repeat(26) })],
      reason: /another attempt/,
    },
    "half a report": {
      steps: [{ write: "{{report}}", text: '{"schema_version": 1,' }],
      reason: /not JSON/,
    },
    "a report without a summary": { steps: [report({ summary: "" })], reason: /summary/ },
  };
  let attempted: Attempted;
  beforeAll(async () => {
    const steps = Object.fromEntries(Object.entries(ways).map(([name, way]) => [name, way.steps]));
    attempted = await runOneAfterAnother(createLastingRoom, steps, { atEnd: [] });
  }, 300_000);

  test.each(Object.entries(ways))("%s", (name, { reason }) => {
    expect(attempted.finished(name)).toMatchObject({
      outcome: "ok",
      succeeded: true,
      report: { state: "invalid", reason: expect.stringMatching(reason) },
    });
  });
});

describe("what an agent plants for the next iteration is out of the way when it begins:", () => {
  const next = (number: number): string =>
    `{{session}}/iterations/${String(number + 1).padStart(4, "0")}_work`;
  const evaluation = (number: number): string =>
    `{{session}}/evaluations/${String(number + 1).padStart(4, "0")}-1`;
  /** Each gets the number of its own iteration. */
  const plants: Record<string, (number: number) => readonly Step[]> = {
    "a withdrawal": (n) => [{ write: `${next(n)}/process.json`, json: WITHDRAWN }],
    "a process that has exited well": (n) => [
      { mkdir: next(n) },
      { run: ["cp", `${HERE}/process.json`, `${next(n)}/process.json`] },
      { write: `${next(n)}/exit.json`, json: EXITED },
      {
        write: `${next(n)}/out/control.json`,
        json: controlOf({ stop_reason: "goal_met", reason: "planted" }),
      },
    ],
    "a FIFO as process.json": (n) => [{ mkdir: next(n) }, { mkfifo: `${next(n)}/process.json` }],
    "directories in place of files": (n) =>
      ["process.json", "prompt.md", "stdout.raw"].map((name) => ({ mkdir: `${next(n)}/${name}` })),
    "links to elsewhere": (n) => [
      { mkdir: next(n) },
      { symlink: `${next(n)}/prompt.md`, target: "{{checkout}}/README.md" },
      { symlink: `${next(n)}/stdout.raw`, target: "{{checkout}}/README.md" },
      { symlink: `${next(n)}/out`, target: "{{checkout}}" },
    ],
    "a file in place of its directory": (n) => [{ write: next(n), text: "" }],
    "a link in place of its directory": (n) => [{ symlink: next(n), target: "{{checkout}}" }],
    "a receipt": (n) => [
      { write: `${evaluation(n)}/receipt.json`, json: { schema_version: 1, outcome: "pass" } },
      { mkfifo: `${evaluation(n)}/goal.log` },
    ],
    "a file in place of a verification's directory": (n) => [{ write: evaluation(n), text: "" }],
    "a link in place of a verification's directory": (n) => [
      { symlink: evaluation(n), target: "{{checkout}}" },
    ],
    "a request to cancel": (n) => [
      {
        write: `${next(n)}/cancel.json`,
        json: { schema_version: 1, attempt_id: "{{attempt_id}}", mode: "now" },
      },
    ],
    "nothing, at the end": () => [],
  };
  const names = Object.keys(plants);
  let attempted: Attempted;
  beforeAll(async () => {
    const ways = Object.fromEntries(
      names.map((name, index) => [name, plants[name]?.(index + 1) ?? []]),
    );
    attempted = await runOneAfterAnother(createLastingRoom, ways, {
      atEnd: [report({ summary: "Ran itself." }), CLAIM],
    });
  }, 300_000);

  test.each(names.slice(0, -1))("%s", (name) => {
    const index = names.indexOf(name);
    const after = attempted.finished(names[index + 1] ?? "");
    expect(after).toMatchObject({
      outcome: "ok",
      report: { state: "valid", value: { summary: "Ran itself." } },
      control: { state: "valid" },
    });
    const verified = records(attempted.room, "verification_finished").filter(
      ({ iteration }) => iteration === index + 2,
    );
    expect(verified).toMatchObject([{ receipt: { outcome: "fail" } }]);
  });

  test("each iteration started one agent", () => {
    expect(attempted.room.witnessed().map(({ iteration }) => iteration)).toEqual(
      names.map((_, index) => index + 1),
    );
    expect(readFileSync(attempted.room.source("README.md"), "utf8")).toBe("# A scratch project\n");
    expect(existsSync(attempted.room.source("receipt.json"))).toBe(false);
  });
});
