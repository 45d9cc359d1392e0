import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadProject, titleOf } from "./load-project.ts";

const directory = mkdtempSync(join(tmpdir(), "loopwright-project-"));
afterAll(() => rmSync(directory, { recursive: true }));

const WHOLE = {
  "loopwright.yaml":
    "goal_file: goal.md\nworkflow_set: one\nagents:\n  a: { adapter: command, command: [sh] }\ndefault_agent: a\n",
  "goal.md": "# Make it so\n\nAll of it.\n",
  ".loopwright/workflows/one/work/workflow.yaml": "plans: true\n",
  ".loopwright/workflows/one/work/prompt.md": "Do it.\n",
};

let count = 0;
function project(files: Record<string, string | undefined>): string {
  const root = join(directory, String(count++));
  for (const [name, text] of Object.entries({ ...WHOLE, ...files })) {
    if (text === undefined) continue;
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

function problemsOf(root: string, overrides = {}): string[] {
  return loadProject(root, "loopwright.yaml", overrides).problems.map(
    ({ where, message }) => `${where} ${message}`,
  );
}

test("a whole project is read with its defaults, its exact goal text and its title", () => {
  const root = project({});
  const { project: loaded, problems } = loadProject(root);
  expect(problems).toEqual([]);
  expect(loaded).toMatchObject({
    goalText: WHOLE["goal.md"],
    title: "Make it so",
    preamble: "",
    workflowSet: "one",
  });
  expect(loaded?.workflows).toMatchObject([
    { id: "work", plans: true, run_every: 1, prompt: "Do it.\n" },
  ]);
  expect(loaded?.configuration.limits).toMatchObject({
    max_iterations: 40,
    iteration_timeout: 3_600_000,
  });
});

test("flags take the place of what the configuration says", () => {
  const root = project({ "other.md": "Another goal" });
  const loaded = loadProject(root, "loopwright.yaml", {
    goalFile: "other.md",
    maxIterations: 3,
  }).project;
  expect(loaded).toMatchObject({
    goalText: "Another goal",
    configuration: { goal_file: "other.md", limits: { max_iterations: 3 } },
  });
});

test("mistakes in all files are told together, also behind mistakes in the configuration", () => {
  const root = project({
    "loopwright.yaml": `${WHOLE["loopwright.yaml"]}limit: {}\n`,
    "goal.md": "<!-- write it here -->\n",
    ".loopwright/workflows/one/work/workflow.yaml": "plan: true\n",
    ".loopwright/workflows/one/bare/notes.txt": "",
    ".loopwright/workflows/one/two words/workflow.yaml": "",
  });
  expect(problemsOf(root)).toEqual([
    'loopwright.yaml:6:1 unknown key "limit" (did you mean "limits"?)',
    "goal.md:1:1 the goal is not written yet",
    ".loopwright/workflows/one/bare/workflow.yaml this file is missing",
    ".loopwright/workflows/one/bare/prompt.md this file is missing",
    '.loopwright/workflows/one/two words "two words" can\'t be the id of a workflow',
    '.loopwright/workflows/one/work/workflow.yaml:1:1 unknown key "plan" (did you mean "plans"?)',
  ]);
});

test("a goal or a set that isn't there is told where it is named", () => {
  const root = project({
    "goal.md": undefined,
    "loopwright.yaml": WHOLE["loopwright.yaml"].replace("set: one", "set: onee"),
  });
  expect(problemsOf(root)).toEqual([
    "loopwright.yaml:1:12 the goal file goal.md does not exist",
    'loopwright.yaml:2:15 there is no workflow set "onee" in .loopwright/workflows',
  ]);
  expect(problemsOf(root, { goalFile: "no.md", workflowSet: "../../etc" })).toEqual([
    "--goal-file the goal file no.md does not exist",
    '--workflow-set there is no workflow set "../../etc" in .loopwright/workflows',
  ]);
});

test("no configuration at all is an error of its own, with the way on", () => {
  const root = project({ "loopwright.yaml": undefined });
  expect(() => loadProject(root)).toThrow(
    expect.objectContaining({ code: "CONFIGURATION_MISSING", hint: "Run: loopwright init" }),
  );
});

test("a file that is a directory, a device or too large is told, not read", () => {
  const root = project({ "goal.md": undefined, "big.md": "x".repeat(300 * 1024) });
  mkdirSync(join(root, "goal.md"));
  symlinkSync("/dev/zero", join(root, "zero.md"));
  for (const goalFile of ["goal.md", "zero.md", "big.md"])
    expect(problemsOf(root, { goalFile })).toHaveLength(1);
});

test("the title is the first line that says something, cut at 80 characters", () => {
  expect(titleOf("<!-- x -->\n\n## A  title\nmore")).toBe("A  title");
  expect(titleOf("x".repeat(100))).toHaveLength(80);
});
