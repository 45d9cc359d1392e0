import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { builtProgram } from "../crash/harness/built-program.ts";
import { callAll } from "./harness/account.ts";
import { createScratch, GOAL, type Scratch } from "./harness/scratch.ts";
import { snapshotOf } from "./harness/snapshot.ts";
import { CLAIM, DONE, report } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let room: Scratch;
beforeAll(async () => {
  room = await createScratch({
    plan: {
      steps: [
        { print: "\u001b[31mred\u001b[0m line\n", repeat: 20_000 },
        DONE,
        report({ summary: "\u001b[31mAll\u0007 done." }),
        CLAIM,
      ],
    },
  });
  await room.call(["run"]);
});
afterAll(() => room.close());

/** Names that must never become a path. */
const BAD_IDS = [
  "../x",
  "%2e%2e",
  "a/b",
  "a\\b",
  ".",
  "..",
  "",
  " ",
  "x".repeat(300),
  "CON",
  "nul.txt",
  "trailing.",
  "-dash",
  ".hidden",
  "line\nbreak",
  "bell\u0007",
  "über",
  "a b",
  "a:b",
  "$(id)",
];

test("an id that can't be one is refused at every entry, with the reason, and makes nothing", async () => {
  const commands = BAD_IDS.flatMap((id) => [
    [`--goal=${id}`, "status"],
    ["init", `--goal-id=${id}`],
    ["status", "--", id],
    [`--goal=${id}`, "events"],
    [`--goal=${id}`, "stop"],
  ]);
  const before = snapshotOf(room.repository, room.runtimeRoot, room.home);
  const called = await callAll(room, commands);
  expect(snapshotOf(room.repository, room.runtimeRoot, room.home)).toEqual(before);
  for (const [index, { code, stdout, stderr }] of called.entries()) {
    const words = commands[index];
    expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: ".*" can't be a goal id: .+ \(GOAL_ID_INVALID\)\nhint: .+\n$/);
    expect(stderr).not.toMatch(/[^\x20-\x7e\n…ü]/);
  }
});

test("a session, iteration or line that isn't there exits with 4 or 2 and a hint, whatever is asked for", async () => {
  const called = await callAll(room, [
    ["show", "../../x"],
    ["show", "%2e%2e"],
    ["show", ""],
    ["show", "latest", "99"],
    ["logs", "latest", "99"],
    ["events", "x".repeat(300)],
    ["timeline", "2"],
    ["verify", "a/b"],
    ["explain", "latest", "--at", "0"],
    ["explain", "nul"],
  ]);
  for (const { code, stdout, stderr } of called) {
    expect({ stderr, ok: code === 4 || code === 2 || code === 0 }).toMatchObject({ ok: true });
    if (code === 0) continue;
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^error: .+ \([A-Z_]+\)\n/);
    expect(stderr).not.toMatch(/\n\s+at |UNEXPECTED/);
  }
});

test("a registry with a mistake is told with its line and column, and is not touched", async () => {
  const goal = (fields: object): string =>
    JSON.stringify({
      id: "a",
      title: "A",
      repo: ".",
      config: "loopwright.yaml",
      created_at: "2026-01-01T00:00:00.000Z",
      ...fields,
    });
  const texts: Record<string, RegExp> = {
    "": /is empty/,
    '{"goals": [\n  }': /registry\.json:2:3 this is not valid JSON/,
    "[]": /registry\.json:1:1 a registry must be a JSON object/,
    '{"schema_version": 1, "goals": {}}': /registry\.json:1:\d+ "goals" must be a list/,
    [`{"schema_version": 1, "goals": [${goal({})},\n${goal({})}]}`]:
      /registry\.json:2:\d+ the goal id "a" stands here twice/,
    [`{"schema_version": 1, "goals": [${goal({})},\n${goal({ id: "A" })}]}`]:
      /registry\.json:2:\d+ the goal ids "a" and "A" differ only in case/,
    [`{"schema_version": 1, "goals": [${goal({ state_file: "s" })},\n${goal({ id: "b", state_file: "./s" })}]}`]:
      /registry\.json:2:\d+ the goals "a" and "b" share one state file/,
    [`{"schema_version": 1, "goals": [${goal({ repo: undefined })}]}`]:
      /registry\.json:1:\d+ goals\.0\.repo is missing/,
    [`{"schema_version": 1, "goals": [${goal({ id: "../x" })}]}`]:
      /registry\.json:1:\d+ goals\.0\.id/,
    '{"schema_version": 99, "goals": []}': /schema version 99, but this program knows only up to 1/,
  };
  const cases = Object.entries(texts).map(([text, says], index) => ({
    text,
    says,
    path: room.file(String(index), "registry.json"),
  }));
  for (const { text, path } of cases) {
    mkdirSync(dirname(path));
    writeFileSync(path, text);
  }
  const called = await callAll(
    room,
    cases.flatMap(({ path }) => [
      ["--registry", path, "status"],
      ["--registry", path, "stop"],
    ]),
  );
  for (const [index, { code, stderr }] of called.entries()) {
    const { text, says } = cases[Math.floor(index / 2)] ?? { text: "", says: /^$/ };
    expect({ text, code }).toEqual({ text, code: 5 });
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/\n\s+at /);
  }
  for (const { text, path } of cases) expect(readFileSync(path, "utf8")).toBe(text);
});

test("reading into a pipe that closes early is no error", async () => {
  for (const words of [["logs", "latest", "1", "--raw"], ["events", "--json"], ["--help"]]) {
    const child = spawn(process.execPath, [builtProgram(), ...words], {
      cwd: room.repository,
      env: room.environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdout.once("data", () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" });
  }
});

test("nothing that an agent wrote reaches a terminal as a control character, and NO_COLOR takes the colours away", async () => {
  for (const environment of [{ NO_COLOR: "1" }, { FORCE_COLOR: "1" }] as Record<string, string>[]) {
    for (const words of [
      ["status"],
      ["status", GOAL],
      ["show", "latest"],
      ["show", "latest", "1"],
      ["timeline"],
      ["events"],
      ["explain"],
    ]) {
      const { code, stdout } = await room.call(words, { environment });
      expect({ words, code }).toEqual({ words, code: 0 });
      expect(stdout).not.toContain("\u0007");
      expect(stdout).not.toContain("\u001b[31mAll");
      if (environment["NO_COLOR"] !== undefined) expect(stdout).not.toContain("\u001b");
    }
  }
});
