import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { callAll } from "./harness/account.ts";
import { type Called, createScratch, GOAL, type Scratch } from "./harness/scratch.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.close());

const LOOPX = fileURLToPath(new URL("../fixtures/loopx", import.meta.url));

async function call(...commands: (readonly string[])[]): Promise<Called[]> {
  return await callAll(scratch, commands);
}

/** Names and contents of all files, but those of git and of the program's own cache. */
function everything(): string[] {
  return [scratch.repository, scratch.runtimeRoot, scratch.home].flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => !`${entry.parentPath}/`.includes("/.git/"))
      .map((entry) => {
        const path = `${entry.parentPath}/${entry.name}`;
        return entry.isFile() ? `${path} ${readFileSync(path, "utf8")}` : path;
      }),
  );
}

/** Every command that takes a goal's id, with the id in its place. */
const TAKERS = (id: string): string[][] => [
  ["status", id],
  ...["show", "disable", "enable", "adopt"].map((verb) => ["goal", verb, id]),
  ["goal", "add", id],
  ["archive", id, "--execute", "--allow-registered"],
  ["init", "--goal-id", id],
  ["import", "loopx", LOOPX, "--as", id, "--execute"],
  ...[
    ["status"],
    ["goal", "show"],
    ["archive"],
    ["refresh"],
    ["drift"],
    ["resolve", "--take", "state"],
    ["run"],
    ["resume"],
    ["stop"],
    ["pause"],
    ["update", "text"],
    ["validate"],
    ["check"],
    ["events"],
    ["timeline"],
    ["explain"],
    ["verify"],
    ["show", "latest"],
    ["logs", "latest", "1"],
    ["coordinator"],
    ["worker"],
  ].map((words) => [...words, "--goal", id]),
];

describe("a goal id", () => {
  test("that can't be one is refused everywhere alike, and nothing is made", async () => {
    const before = everything();
    const ids = [
      "../x",
      "%2e%2e",
      "a/b",
      ".",
      "",
      "x".repeat(300),
      "CON",
      "a.",
      "a\nb",
      "a\u0000b",
    ];
    const commands = ids.flatMap(TAKERS);
    const answers = await call(...commands);
    for (const [index, { code, stderr }] of answers.entries()) {
      const told = { words: commands[index], code, stderr };
      expect(told).toMatchObject({ code: 2, stderr: expect.stringContaining("(GOAL_ID_INVALID)") });
    }
    expect(everything()).toEqual(before);
  });

  test("that is mistyped makes nothing anywhere; the nearest is offered", async () => {
    const before = everything();
    const typo = `${GOAL}s`;
    const makers = ["init", "add", "import"];
    const commands = TAKERS(typo).filter((words) => !words.some((word) => makers.includes(word)));
    for (const [index, { code, stderr }] of (await call(...commands)).entries()) {
      const told = { words: commands[index], code, stderr };
      expect(told).toMatchObject({ code: 4, stderr: expect.stringContaining("(GOAL_NOT_FOUND)") });
      expect(stderr).toContain(`Did you mean "${GOAL}"?`);
    }
    expect(everything()).toEqual(before);
  });
});

test("a broken registry is one sentence with its place, exit 5, and nothing is changed", async () => {
  const path = scratch.source(".loopwright", "registry.json");
  const good = readFileSync(path, "utf8");
  const goal = `{"id": "a", "repo": "/a"}`;
  const broken: [text: string, told: string][] = [
    ["{", ":1:2 this is not valid JSON (REGISTRY_INVALID)"],
    ["[]", ":1:1 a registry must be a JSON object (REGISTRY_INVALID)"],
    ['{\n"goals": {}}', ':2:10 "goals" must be a list (REGISTRY_INVALID)'],
    [`{"goals": [${goal}, ${goal}]}`, 'the goal id "a" stands here twice (REGISTRY_INVALID)'],
    [`{"goals": [${goal}, {"id": "A", "repo": "/a"}]}`, "differ only in case (REGISTRY_INVALID)"],
    ['{"goals": [{"id": "a"}]}', ":1:12 goals.0.repo is missing (REGISTRY_INVALID)"],
    ['{"schema_version": 9}', "but this program knows only up to 1 (SCHEMA_NEWER)"],
  ];
  const commands = [
    ["status"],
    ["goal", "list"],
    ["goal", "disable", GOAL],
    ["archive", GOAL],
    ["run"],
  ];
  for (const [text, told] of broken) {
    writeFileSync(path, text);
    for (const { code, stderr } of await call(...commands)) {
      expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringContaining(told) });
      expect(stderr.split("\n").filter((line) => line.startsWith("error: "))).toHaveLength(1);
    }
    expect(readFileSync(path, "utf8")).toBe(text);
  }
  writeFileSync(path, good);
});

test("a relative runtime root is the same place from everywhere and for every command", async () => {
  const registry = scratch.source(".loopwright", "registry.json");
  const good = readFileSync(registry, "utf8");
  const text = JSON.stringify({
    ...(JSON.parse(good) as object),
    common_runtime_root: "../runtime",
  });
  writeFileSync(registry, text);
  mkdirSync(scratch.source("deep", "er"), { recursive: true });
  symlinkSync(scratch.repository, scratch.file("link"));
  const places = [scratch.repository, scratch.source("deep", "er"), scratch.file("link", "deep")];
  const commands = [
    ...places.map((place) => ["-C", place]),
    ["-C", "/", "--registry", registry],
  ].flatMap((where) =>
    [
      ["status"],
      ["goal", "list"],
      ["archive", GOAL, "--allow-registered"],
      ["archive", "list"],
    ].map((words) => [...where, ...words, "--json"]),
  );
  for (const { code, stdout } of await call(...commands)) {
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ runtime_root: scratch.runtimeRoot });
  }
  writeFileSync(registry, good);
});

test("a disabled goal is not started and says so; enabled it may be", async () => {
  const [disabled, run, coordinator, status, enabled, shown] = await call(
    ["goal", "disable", GOAL, "--reason", "on holiday"],
    ["run"],
    ["coordinator"],
    ["status"],
    ["goal", "enable", GOAL],
    ["goal", "show", GOAL, "--json"],
  );
  expect(disabled).toMatchObject({ code: 0 });
  for (const refused of [run, coordinator]) {
    expect(refused).toMatchObject({ code: 3 });
    expect(refused?.stderr).toContain("is disabled: on holiday (GOAL_DISABLED)");
    expect(refused?.stderr).toContain(`loopwright goal enable ${GOAL}`);
  }
  expect(status?.stdout).toContain("is disabled: on holiday");
  expect(enabled).toMatchObject({ code: 0 });
  expect(JSON.parse(shown?.stdout ?? "")).toMatchObject({
    goal: { activation: { state: "active" } },
  });
  expect(scratch.sessions()).toEqual([]);
});

test("the goals of every project are shown, each once and read where it lies; a broken one hides none", async () => {
  const user = `${scratch.home}/.loopwright/registry.json`;
  const other = scratch.file("other", ".loopwright", "registry.json");
  mkdirSync(scratch.file("other", ".loopwright"), { recursive: true });
  writeFileSync(other, JSON.stringify({ goals: [{ id: "elsewhere", repo: "/nowhere" }] }));
  const noted = `${scratch.home}/.loopwright/projects.json`;
  const good = readFileSync(noted, "utf8");
  const { registries } = JSON.parse(good) as { registries: string[] };
  const all = [...registries, other, scratch.file("gone", "registry.json"), other];
  writeFileSync(noted, JSON.stringify({ schema_version: 1, registries: all }));
  const added = ["--registry", user, "goal", "add", "mine", "--repo", scratch.repository];
  const [add, status] = await call(added, ["status", "--all", "--json"]);
  expect(add).toMatchObject({ code: 0 });
  const { goals } = JSON.parse(status?.stdout ?? "") as {
    goals: { id: string; registry: string }[];
  };
  expect(
    goals
      .map(({ id, registry }) => [id, registry])
      .sort(([a], [b]) => (a ?? "").localeCompare(b ?? "")),
  ).toEqual([
    ["elsewhere", other],
    ["mine", user],
    [GOAL, scratch.source(".loopwright", "registry.json")],
  ]);
  writeFileSync(other, "{");
  const [broken] = await call(["status", "--all", "--json"]);
  expect(broken).toMatchObject({ code: 0, stderr: expect.stringContaining(`${other}:1:2`) });
  expect((JSON.parse(broken?.stdout ?? "") as { goals: object[] }).goals).toHaveLength(2);
  writeFileSync(noted, good);
});

test("what a dry run prints takes exactly the place that it shows, and restore brings it back", async () => {
  const [dry] = await call(["archive", GOAL, "--allow-registered", "--json"]);
  const planned = JSON.parse(dry?.stdout ?? "") as { archive_path: string; next_command: string };
  const words = planned.next_command.split(" ").slice(1);
  const [moved, run, list, restored, status] = await call(
    [...words, "--json"],
    ["run"],
    ["archive", "list", "--json"],
    ["archive", "restore", GOAL, "--execute", "--json"],
    ["status"],
  );
  expect(JSON.parse(moved?.stdout ?? "")).toMatchObject({
    archived: true,
    archive_path: planned.archive_path,
  });
  expect(run).toMatchObject({ code: 3, stderr: expect.stringContaining("(GOAL_ARCHIVED)") });
  expect(JSON.parse(list?.stdout ?? "")).toMatchObject({
    archives: [{ path: planned.archive_path }],
  });
  expect(JSON.parse(restored?.stdout ?? "")).toMatchObject({ restored: true });
  expect(status?.stdout).toContain("No session yet");
});

test("a LoopX project is shown, archived and imported without a change to its own files", async () => {
  const project = scratch.file("loopx");
  cpSync(LOOPX, project, { recursive: true });
  const own = (): string[] =>
    [".loopx", ".codex", "runtime"].flatMap((folder) =>
      readdirSync(`${project}/${folder}`, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, "utf8")),
    );
  const before = own();
  const inside = ["-C", `${project}/.codex`];
  const [status, row, run, disable, dry, made, again, validate] = await call(
    [...inside, "status"],
    [...inside, "status", "--json"],
    [...inside, "run"],
    [...inside, "goal", "disable", "demo-goal"],
    ["import", "loopx", project, "--as", "words"],
    ["import", "loopx", project, "--as", "words", "--execute", "--json"],
    ["import", "loopx", project, "--as", "words", "--execute", "--json"],
    ["-C", project, "status", "--json"],
  );
  expect(status?.stdout).toContain("demo-goal  LoopX, 4 runs");
  expect(status?.stdout).toContain("decide: Say whether tabs separate words");
  expect(JSON.parse(row?.stdout ?? "")).toMatchObject({
    goals: [{ id: "demo-goal", warnings: 1 }],
  });
  for (const refused of [run, disable]) {
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("(FOREIGN_PROJECT)"),
    });
  }
  expect(dry?.stdout).toContain("would create  loopwright.yaml");
  expect(JSON.parse(made?.stdout ?? "")).toMatchObject({ goal_id: "words", todos: 4, runs: 3 });
  expect(JSON.parse(again?.stdout ?? "")).toMatchObject({ created: [] });
  expect(JSON.parse(validate?.stdout ?? "")).toMatchObject({
    goals: [{ id: "words", next_action: "Do not publish the package before the tests pass." }],
  });
  expect(own()).toEqual(before);
  const registry = ["--registry", `${project}/.loopx/registry.json`];
  const [archived, restored] = await call(
    [...registry, "archive", "demo-goal", "--allow-registered", "--execute", "--json"],
    [...registry, "archive", "restore", "demo-goal", "--execute", "--json"],
  );
  expect(JSON.parse(archived?.stdout ?? "")).toMatchObject({ archived: true });
  expect(JSON.parse(restored?.stdout ?? "")).toMatchObject({ restored: true });
});
