import { configurationFile, workflowFile } from "@loopwright/protocol";
import { expect, test } from "vitest";
import type { ZodType } from "zod";
import { parseYamlFile } from "./yaml-file.ts";

function problemsOf(text: string, schema: ZodType = workflowFile): string[] {
  return parseYamlFile(text, "f.yaml", schema).problems.map(
    ({ where, message }) => `${where} ${message}`,
  );
}

test("every mistake is told at once, in the order of the file, each at its own place", () => {
  const text = `goal_file: 5
workflow_sett: x
default_agent: coder
agents:
  coder: { adapter: claud, comand: [x] }
limits:
  max_iteration: 5
  max_iterations: 0
  max_wall_clock: 8 hours
gate:
  protect: tests/**
  baseline: requirered
isolation: yes
`;
  expect(problemsOf(text, configurationFile)).toEqual([
    'f.yaml:1:1 "workflow_set" is missing',
    "f.yaml:1:12 goal_file: expected text, found 5",
    'f.yaml:2:1 unknown key "workflow_sett" (did you mean "workflow_set"?)',
    'f.yaml:5:21 agents.coder.adapter: expected command, found "claud"',
    'f.yaml:5:28 unknown key "comand" in agents.coder (did you mean "command"?)',
    'f.yaml:7:3 unknown key "max_iteration" in limits (did you mean "max_iterations"?)',
    "f.yaml:8:19 limits.max_iterations: expected more than 0, found 0",
    'f.yaml:9:19 limits.max_wall_clock: expected a duration such as 90s, 15m, 8h or 3d, found "8 hours"',
    'f.yaml:11:12 gate.protect: expected a list, found "tests/**"',
    'f.yaml:12:13 gate.baseline: expected one of require_red, allow_green, found "requirered"',
    'f.yaml:13:12 isolation: expected none, found "yes"',
  ]);
});

test.each([
  ["priority: [1", 'f.yaml:1:11 the "[" here is not closed'],
  [
    "priority: 1\npriority: 2\n",
    'f.yaml:2:1 the key "priority" stands here twice; first at f.yaml:1:1',
  ],
  ["- a\n", "f.yaml:1:1 the file: expected keys with values, found a list"],
  ["priority: 1\n---\nb: 2\n", "f.yaml:2:1 a second document begins here"],
  ["plans: true\ndescription: 'x\npriority: 1\n", `f.yaml:2:14 the "'" here is not closed`],
  ["description: a: b\n", "f.yaml:1:14 there is a second value here"],
  ["description: @x\n", "f.yaml:1:14 plain value cannot start with reserved character @"],
  ["priority\n", "f.yaml:1:1 the file: expected keys with values"],
  ["\u007fELF\u0002\u0000", "f.yaml:1:5 this is not a text file"],
  ["priority: &x 1\nrun_every: *y\n", "f.yaml:2:12 unresolved alias"],
  ["\tpriority: 1\n", "f.yaml:1:1 tabs are not allowed"],
])("%j is answered with its place", (text, expected) => {
  const [problem] = parseYamlFile(text, "f.yaml", workflowFile).problems;
  expect(`${problem?.where} ${problem?.message}`).toContain(expected);
  expect(problem?.hint).toMatch(/^[A-Z].*\.$/);
});

test("a key that stands there twice hides nothing else", () => {
  expect(problemsOf("priority: 1\npriority: 2\nplan: true\n")).toEqual([
    'f.yaml:2:1 the key "priority" stands here twice; first at f.yaml:1:1',
    'f.yaml:3:1 unknown key "plan" (did you mean "plans"?)',
  ]);
});

test("a wrong name hides nothing of what stands under it", () => {
  const text = `goal_file: g
workflow_set: s
default_agent: a
agents:
  "a b": { adapter: command, command: [], prompt: fle }
`;
  expect(problemsOf(text, configurationFile)).toEqual([
    `f.yaml:5:3 "a b" can't be a name here`,
    "f.yaml:5:39 agents.a b.command: expected a list that isn't empty, found an empty list",
    'f.yaml:5:51 agents.a b.prompt: expected one of stdin, file, found "fle"',
  ]);
});

test("a word of a later version is called so, and never offered", () => {
  const text = `goal_file: g
workflow_set: s
default_agent: a
agents: { a: { adapter: claude } }
isolation: worktree
recovery: { policy: drain }
gate: { approve: [goal_met] }
`;
  const { problems, value } = parseYamlFile(text, "f.yaml", configurationFile);
  expect(value).toBeUndefined();
  expect(problems.map(({ where, message }) => `${where} ${message}`)).toEqual([
    'f.yaml:4:25 agents.a.adapter: "claude" is not available in this version',
    'f.yaml:5:12 isolation: "worktree" is not available in this version',
    'f.yaml:6:21 recovery.policy: "drain" is not available in this version',
    'f.yaml:7:19 gate.approve.0: "goal_met" is not available in this version',
  ]);
  expect(problemsOf(text.replace("worktree", "wrktree"), configurationFile)).toContain(
    'f.yaml:5:12 isolation: expected none, found "wrktree"',
  );
});

test.each([
  ["enabled: yes", "Write true or false."],
  ["description: 5", 'Put it in quotes if text is meant: "5".'],
  ["timeout: 60", "Say the unit: 60s or 60m?"],
  ["timeout: 8 hours", "Did you mean 8h?"],
  ["timeout: 5 Minutes", "Did you mean 5m?"],
  ["timeout: soon", "Longest run of its agent; `limits.iteration_timeout`, if left out."],
  ["priority: high", "For example: priority: 0."],
  ['priority: "7"', "Write it without quotes: 7."],
  ["must_follow: two words", expect.stringMatching(/^Use letters/)],
  ["run_every: 0", "For example: run_every: 1."],
  ["session: frsh", 'Did you mean "fresh"?'],
  ["session: 1", "For example: session: fresh."],
  ["- plans", expect.stringMatching(/^Known here: description, /)],
])("%s comes with the way out", (text, hint) => {
  expect(parseYamlFile(text, "f.yaml", workflowFile).problems).toMatchObject([{ hint }]);
});

test.each([
  ["limits: { max_tokens: lots }", "Tokens that agents report. Or null, for none."],
  ["limits: { max_wall_clock: 8 hours }", "Did you mean 8h?"],
  ["retention: { raw_log_cap: 50 mb }", "Did you mean 50MB?"],
  ["gate: { baseline: 1 }", "For example: baseline: require_red."],
  ["gate: { protect: tests }", "Write it as a list: [tests]."],
])("%s comes with the way out, too", (text, hint) => {
  const whole = `goal_file: g\nworkflow_set: s\nagents: { a: { adapter: command } }\ndefault_agent: a\n${text}`;
  expect(parseYamlFile(whole, "f.yaml", configurationFile).problems).toMatchObject([{ hint }]);
});

test("an empty file takes every default, and a bomb of aliases is refused", () => {
  expect(parseYamlFile("# nothing\n", "f.yaml", workflowFile).value).toMatchObject({
    priority: 0,
    run_every: 1,
  });
  const levels = Array.from(
    { length: 12 },
    (_, k) => `a${k + 1}: &a${k + 1} [${Array(9).fill(`*a${k}`).join(", ")}]`,
  );
  const bomb = ["a0: &a0 [x]", ...levels].join("\n");
  expect(problemsOf(bomb)).toHaveLength(1);
});

test("a value that is missing is told at what it should stand in", () => {
  expect(problemsOf("priority: 1\nrun_after_successes:\n  workflow: x\n")).toEqual([
    'f.yaml:3:3 "run_after_successes.every" is missing',
  ]);
});
