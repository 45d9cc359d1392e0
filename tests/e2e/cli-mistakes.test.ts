import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { callAll } from "./harness/account.ts";
import { type Called, createScratch, GOAL, type Scratch } from "./harness/scratch.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.close());

const STACK = /\n\s+at .+:\d+:\d+/;

async function call(...commands: string[][]): Promise<Called[]> {
  const called = await callAll(scratch, commands);
  for (const { stdout, stderr } of called) expect(stdout + stderr).not.toMatch(STACK);
  return called;
}

/** Everything below the runtime root, and what the project has. */
function everything(): string[] {
  return [
    ...readdirSync(scratch.runtimeRoot, { recursive: true }),
    ...readdirSync(scratch.repository, { recursive: true }),
  ]
    .map(String)
    .filter((name) => !name.startsWith(".git/"));
}

const MISTAKES = {
  "loopwright.yaml": `goal_file: .loopwright/goal.md
workflow_set: set
agents:
  coder: { adapter: comand, command: [x] }
default_agent: coder
limits:
  max_iteration: 5
`,
  ".loopwright/goal.md": "<!-- nothing -->\n",
  ".loopwright/workflows/set/work/workflow.yaml": "priorty: 3\nrun_every: 0\n",
  ".loopwright/workflows/set/work/prompt.md": "\n",
};

test("every mistake in every file is told at once, with its place, its reason and a way out, and nothing is created", async () => {
  const before = Object.keys(MISTAKES).map(
    (name) => [name, readFileSync(scratch.source(name), "utf8")] as const,
  );
  for (const [name, text] of Object.entries(MISTAKES)) scratch.write(name, text);
  const standing = everything();
  const [validate, run, json] = await call(["validate"], ["run"], ["validate", "--json"]);
  const expected = [
    'loopwright.yaml:4:21 agents.coder.adapter: expected command, found "comand"',
    'loopwright.yaml:7:3 unknown key "max_iteration" in limits (did you mean "max_iterations"?)',
    ".loopwright/goal.md:1:1 the goal is not written yet",
    '.loopwright/workflows/set/work/workflow.yaml:1:1 unknown key "priorty" (did you mean "priority"?)',
    ".loopwright/workflows/set/work/workflow.yaml:2:12 run_every: expected more than 0, found 0",
    ".loopwright/workflows/set/work/prompt.md this file is blank",
  ];
  expect(validate).toMatchObject({ code: 5 });
  for (const line of expected) expect(validate?.stdout).toContain(`error ${line}`);
  expect(run).toMatchObject({ code: 5, stdout: "" });
  for (const line of expected) expect(run?.stderr).toContain(`error ${line}`);
  expect(run?.stderr).toContain("(CONFIGURATION_INVALID)\nhint: ");
  const document = JSON.parse(json?.stdout ?? "") as {
    schema_version: number;
    ok: boolean;
    problems: { where: string }[];
  };
  expect(document).toMatchObject({ schema_version: 1, ok: false });
  expect(document.problems).toHaveLength(6);
  expect(everything()).toEqual(standing);
  expect(scratch.processes()).toEqual([]);
  for (const [name, text] of before) scratch.write(name, text);
});

describe("in files that are valid YAML", () => {
  test("what names something that isn't there is told where it stands", async () => {
    const before = readFileSync(scratch.source("loopwright.yaml"), "utf8");
    scratch.write(
      "loopwright.yaml",
      `goal_file: .loopwright/goal.md
workflow_set: other
agents:
  coder: { adapter: command, command: [no-such-program] }
  spare: { adapter: codex }
default_agent: codr
limits:
  per_day: { max_tokens: 5 }
recovery: { policy: reap }
gate: { protect: ["/etc/passwd"] }
`,
    );
    scratch.write(
      ".loopwright/workflows/other/a/workflow.yaml",
      "must_follow: bb\nagent: coder\ntier: high\n",
    );
    scratch.write(
      ".loopwright/workflows/other/a/prompt.md",
      "Write to {{outt}}\nand {{project_state}}.\n",
    );
    scratch.write(".loopwright/workflows/other/b/workflow.yaml", "must_follow: a\nagent: spare\n");
    scratch.write(".loopwright/workflows/other/b/prompt.md", "Go.\n");
    scratch.write(".loopwright/checks/two.yaml", "id: goal\ntype: comand\nrun: [sh, check.sh]\n");
    const [validate] = await call(["validate"]);
    expect(validate?.code).toBe(5);
    for (const line of [
      'error loopwright.yaml:5:21 agents.spare.adapter: "codex" is not available in this version',
      'error loopwright.yaml:6:16 there is no agent "codr" (did you mean "coder"?)',
      'error loopwright.yaml:4:40 the program "no-such-program" of agent "coder" was not found',
      "error loopwright.yaml:8:26 the limit per_day.max_tokens is not available in this version",
      'error loopwright.yaml:9:21 recovery.policy: "reap" is not available in this version',
      'error loopwright.yaml:10:19 gate.protect: "/etc/passwd": it must be relative to the checkout',
      'error .loopwright/workflows/other/a/workflow.yaml:3:7 there is no tier "high"',
      "error .loopwright/workflows/other/a/prompt.md:1:10 unknown placeholder {{outt}} (did you mean {{out}}?)",
      'error .loopwright/checks/two.yaml:2:7 type: expected one of command, file, found "comand"',
    ]) {
      expect(validate?.stdout).toContain(line);
    }
    expect(validate?.stdout).toMatch(
      /error \.loopwright\/workflows\/other\/a\/workflow\.yaml:1:14 .*bb/,
    );
    scratch.write("loopwright.yaml", before);
    scratch.git("clean", "-fdq", "--", ".loopwright/checks", ".loopwright/workflows");
  });

  test("a check that an agent could bend is a warning, and warnings refuse nothing", async () => {
    scratch.write("check.sh", "exit 1\n");
    scratch.write(
      ".loopwright/checks/script.yaml",
      "id: script\ntype: command\nrun: [sh, check.sh]\n",
    );
    const [validate] = await call(["validate"]);
    expect(validate).toMatchObject({ code: 0 });
    expect(validate?.stdout).toContain(
      'warning .loopwright/checks/script.yaml:3:6 the check "script" depends on check.sh, which agents can change',
    );
    scratch.git("clean", "-fdq", "--", ".loopwright/checks", "check.sh");
  });
});

test("mistakes on the command line exit with 2, say what is wrong and what was meant, and create nothing", async () => {
  const standing = everything();
  const called = await call(
    ["statu"],
    ["run", "--max-iteration", "3"],
    ["run", "--max-iterations", "many"],
    ["run", "--max-iterations", "0"],
    ["run", "--new", "--resume"],
    ["resume", "--max-cost-usd", "-3"],
    ["init", "--template", "singl"],
    ["init", "--agent", "claud"],
    ["init", "--goal-id", "../up"],
    ["show"],
    ["logs", "latest", "x"],
    ["update", " "],
    ["-C", "/nonexistent", "status"],
    ["status", "--goal", "a/b"],
    ["bogus"],
  );
  for (const { code, stdout } of called) {
    expect(code).toBe(2);
    expect(stdout).toBe("");
  }
  const said = called.map(({ stderr }) => stderr);
  expect(said[0]).toBe('error: unknown command "statu" (USAGE)\nhint: Did you mean status?\n');
  expect(said[1]).toContain("hint: Did you mean --max-iterations?");
  expect(said[2]).toContain("Expected a whole number of at least 1");
  expect(said[6]).toContain('hint: Did you mean "single"?');
  expect(said[7]).toContain('hint: Did you mean "claude"?');
  expect(said[8]).toContain("(GOAL_ID_INVALID)");
  expect(said.at(-1)).toContain("hint: Run with --help");
  for (const text of said) expect(text).toMatch(/^error: .+ \([A-Z_]+\)\nhint: .+\n$/);
  expect(everything()).toEqual(standing);
});

test("what isn't there exits with 4, and the nearest is offered", async () => {
  const [goal, session, none] = await call(["status", `${GOAL}x`], ["show", "2020"], ["stop"]);
  expect(goal).toMatchObject({ code: 4 });
  expect(goal?.stderr).toContain(`hint: Did you mean "${GOAL}"?`);
  expect(session).toMatchObject({ code: 4 });
  expect(none).toMatchObject({ code: 4 });
});

test("an error with --json is one document on stdout", async () => {
  const [called] = await call(["show", "2020", "--json"]);
  expect(JSON.parse(called?.stdout ?? "")).toMatchObject({
    schema_version: 1,
    error: { code: "SESSION_NOT_FOUND" },
  });
});

test("inside of an agent's attempt the command line reads and changes nothing", async () => {
  const environment = { LOOPWRIGHT_ATTEMPT: "01jabcdefghjkmnpqrstvwxyz0" };
  const standing = everything();
  const status = await scratch.call(["status"], { environment });
  expect(status.code).toBe(0);
  for (const words of [["run"], ["stop"], ["init"], ["doctor", "--fix"]]) {
    const refused = await scratch.call(words, { environment });
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain("(INSIDE_ATTEMPT)");
  }
  expect(everything()).toEqual(standing);
});

test("a folder that is no repository, or has no commit, is told with the way on", async () => {
  const folder = scratch.file("elsewhere");
  mkdirSync(folder);
  const made = await scratch.call(
    ["init", "--goal-id", "elsewhere", "--template", "single", "--agent", "command"],
    { cwd: folder },
  );
  expect(made.code).toBe(0);
  expect(made.stdout).toMatch(/^This folder is not in a git repository/);
  expect(made.stdout).toContain("  git init && git add .");
  const validate = await scratch.call(["validate"], { cwd: folder });
  expect(validate).toMatchObject({ code: 5 });
  expect(validate.stdout).toContain(`error ${folder} this is not a git repository`);
  expect(validate.stdout).toContain("error .loopwright/goal.md:1:1 the goal is not written yet");
  const run = await scratch.call(["run"], { cwd: folder });
  expect(run.code).toBe(5);
  expect(existsSync(scratch.file("home", ".loopwright", "goals", "elsewhere", "sessions"))).toBe(
    false,
  );
  scratch.git("init", "--quiet", folder);
  const again = await scratch.call(["init"], { cwd: folder });
  expect(again.stdout).toContain("Everything was there already.");
  expect(again.stdout).toMatch(/^This git repository has no commit yet/);
  expect(again.stdout).not.toContain("git init");
});

test("an id that another project has is refused before anything is made", async () => {
  const folder = scratch.file("second");
  mkdirSync(folder);
  const refused = await scratch.call(
    ["init", "--goal-id", GOAL, "--runtime-root", scratch.runtimeRoot],
    { cwd: folder },
  );
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain("(GOAL_ID_TAKEN)");
  expect(readdirSync(folder)).toEqual([]);
});
