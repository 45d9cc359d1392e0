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
    'f.yaml:5:21 agents.coder.adapter: expected one of command, codex, claude, gemini, opencode, acp, team, found "claud"',
    'f.yaml:5:28 unknown key "comand" in agents.coder (did you mean "command"?)',
    'f.yaml:7:3 unknown key "max_iteration" in limits (did you mean "max_iterations"?)',
    "f.yaml:8:19 limits.max_iterations: expected more than 0, found 0",
    'f.yaml:9:19 limits.max_wall_clock: expected a duration such as 90s, 15m, 8h or 3d, found "8 hours"',
    'f.yaml:11:12 gate.protect: expected a list, found "tests/**"',
    'f.yaml:12:13 gate.baseline: expected one of require_red, allow_green, found "requirered"',
    'f.yaml:13:12 isolation: expected one of none, worktree, found "yes"',
  ]);
});

test.each([
  ["priority: [1", "f.yaml:1:13 flow sequence"],
  ["priority: 1\npriority: 2\n", "f.yaml:2:1 map keys must be unique"],
  ["- a\n", "f.yaml:1:1 the file: expected keys with values, found a list"],
  ["a: 1\n---\nb: 2\n", "f.yaml:2:1 source contains multiple documents"],
  ["priority: &x 1\nrun_every: *y\n", "f.yaml:2:12 unresolved alias"],
  ["\tpriority: 1\n", "f.yaml:1:1 tabs are not allowed"],
])("%j is answered with its place", (text, expected) => {
  expect(problemsOf(text)[0]).toContain(expected);
});

test("common mistakes come with the way out", () => {
  const hints = parseYamlFile(
    "enabled: yes\ndescription: 5\n",
    "f.yaml",
    workflowFile,
  ).problems.map(({ hint }) => hint);
  expect(hints).toEqual(["Write true or false.", 'Put it in quotes if text is meant: "5".']);
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
