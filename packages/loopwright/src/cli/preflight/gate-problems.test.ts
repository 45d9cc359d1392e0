import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadProject } from "../../control-plane/project/load-project.ts";
import { gateProblems } from "./gate-problems.ts";
import { spendingProblems } from "./spending-problems.ts";

const directory = mkdtempSync(join(tmpdir(), "loopwright-gate-problems-"));
afterAll(() => rmSync(directory, { recursive: true }));

let count = 0;
/** What is said of a project with these files and these further lines of its configuration. */
function problemsOf(lines: string, files: Readonly<Record<string, string>> = {}): string[] {
  const root = join(directory, String(count++));
  const whole = {
    "loopwright.yaml": `goal_file: goal.md\nworkflow_set: one\nagents: { a: { adapter: command, command: [sh] } }\ndefault_agent: a\n${lines}\n`,
    "goal.md": "Make it so.\n",
    ".loopwright/workflows/one/work/workflow.yaml": "",
    ".loopwright/workflows/one/work/prompt.md": "Do it.\n",
    ...files,
  };
  for (const [name, text] of Object.entries(whole)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const loaded = loadProject(root);
  if (loaded.draft === undefined) throw new Error("There is no draft.");
  const gate = gateProblems(loaded.draft, loaded, { PATH: process.env["PATH"] });
  return [...gate.problems, ...spendingProblems(loaded.draft, loaded)].map(
    ({ severity, where, message, hint }) => `${severity} ${where} ${message} | ${hint}`,
  );
}

const check = (run: string): Record<string, string> => ({
  ".loopwright/checks/t.yaml": `id: t\ntype: command\nrun: ${run}\n`,
});

test("a check whose program can't be started is an error, where it is named", () => {
  expect(problemsOf("", check("[nosuchprog, x]"))).toEqual([
    expect.stringContaining(
      'error .loopwright/checks/t.yaml:3:7 the program "nosuchprog" of the check "t" was not found',
    ),
  ]);
  expect(problemsOf("", { ...check("[./t.sh]"), "t.sh": "exit 0\n" })[0]).toMatch(
    /^error .*"\.\/t\.sh" of the check "t" isn't there, or can't be run \| Correct its path, or make the file executable\.$/,
  );
  expect(problemsOf("", check("nosuchprog x"))).toEqual([]);
  expect(problemsOf("", check("[sh, -c, exit 1]"))).toEqual([]);
});

test("a folder of checks that isn't there is an error; without the usual one claims are believed", () => {
  expect(problemsOf("gate: { checks: .loopwright/chekcs }", check("[sh]"))).toEqual([
    'error loopwright.yaml:5:17 gate.checks: .loopwright/chekcs does not exist | Did you mean ".loopwright/checks"?',
  ]);
  expect(problemsOf("gate: { checks: goal.md }")[0]).toMatch(/gate\.checks: goal\.md is no folder/);
  expect(problemsOf("gate: { checks: .loopwright/checks }")).toEqual([
    expect.stringMatching(/^warning loopwright\.yaml:5:17 there is no check/),
  ]);
});

test("what gate.protect names and isn't there is a warning", () => {
  const files = { ...check("[sh]"), "tests/nothing.sh": "" };
  expect(
    problemsOf('gate: { protect: [tets/nothing.sh, "src/**", tests, "!tests/x"] }', files),
  ).toEqual([
    'warning loopwright.yaml:5:19 gate.protect: "tets/nothing.sh" matches no file | Did you mean "tests/nothing.sh"?',
    expect.stringMatching(/^warning loopwright\.yaml:5:36 gate\.protect: "src\/\*\*" matches no/),
    expect.stringMatching(/^warning loopwright\.yaml:5:53 gate\.protect: "!tests\/x" matches no/),
  ]);
});

test("limits that nothing counts towards are a warning", () => {
  const files = check("[sh]");
  expect(problemsOf("limits: { max_cost_usd: 5 }", files)).toEqual([
    expect.stringMatching(
      /^warning loopwright\.yaml:5:25 max_cost_usd can't be reached: the output of "a" reports no cost/,
    ),
  ]);
  expect(problemsOf("limits: { max_tokens: 5 }\nunknown_cost: stop", files)).toEqual([
    expect.stringMatching(/max_tokens stops the session after the first iteration of "a"/),
  ]);
});
