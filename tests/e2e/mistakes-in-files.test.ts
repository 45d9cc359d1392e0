import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { callAll } from "./harness/account.ts";
import { expectMistakes, expectWaysOut, type Mistake, placeOf } from "./harness/mistakes.ts";
import { type Called, createScratch, type Scratch } from "./harness/scratch.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let room: Scratch;
let untouched: readonly (readonly [string, string])[];
beforeAll(async () => {
  room = await createScratch();
  const names = [
    "loopwright.yaml",
    ".loopwright/goal.md",
    ".loopwright/workflows/set/work/workflow.yaml",
    ".loopwright/workflows/set/work/prompt.md",
    ".loopwright/checks/goal.yaml",
    ".loopwright/registry.json",
  ];
  untouched = names.map((name) => [name, readFileSync(room.source(name), "utf8")]);
});
afterEach(() => {
  room.git("clean", "-fdq", "--exclude=.gitignore");
  for (const [name, text] of untouched) room.write(name, text);
});
afterAll(() => room.close());

const expectErrors = (
  files: Readonly<Record<string, string>>,
  errors: Readonly<Record<string, readonly Mistake[]>>,
): Promise<void> => expectMistakes(room, files, errors);

describe("every mistake in loopwright.yaml is told at once, where it stands, with what is meant:", () => {
  test("unknown keys, wrong kinds of values, values that aren't allowed", async () => {
    const text = `goal_file: .loopwright/goal.md
workflow_set: set
completion_criteria: all tests pass
agents:
  fake: { adapter: comand, command: [node] }
  words: { adapter: command, command: node agent.mjs }
  keys: { adapter: command, comand: [node], command: [node] }
  price: { adapter: command, command: [node], price: { input_usd_per_1m: -1, output_usd_per_1m: 2 } }
  "bad name": { adapter: command, command: [node] }
  variable: { adapter: command, command: [node], env: { "A-B": x, NUMBER: 5 } }
default_agent: nobody
limits:
  max_iterations: 0
  max_iteration: 5
  max_wall_clock: 8 hours
  max_cost_usd: -1
  max_tokens: lots
  iteration_timeout: 5
  no_progress_after: 1.5
  workflow_failure_cap: yes
gate:
  protect: tests/**
  baseline: require-red
  run: always
  aprove: [goal_met]
unknown_cost: ignore
isolation: container
recovery: { policy: adpot, timeout: -3m }
notify: { webhook: not a url, on: [everything] }
retention: { raw_log_cap: 50 apples }
tiers: { fast: { fake: { modle: x } } }
worktree: { on_dirty: stash }
takeover_after: soon
max_iterations: 3
`;
    await expectErrors(
      { "loopwright.yaml": text },
      {
        "loopwright.yaml": [
          ["all tests pass", /completion_criteria: expected a list.*"all tests pass"\n?.*/],
          ["comand, command", /adapter: expected (?:one of )?command.*, found "comand"/],
          ["node agent.mjs", /expected a list.*found "node agent\.mjs"/],
          ["comand: [node]", /unknown key "comand".*did you mean "command"/],
          ["-1, output", /at least 0/],
          ['"bad name"', /can't be a name/],
          ['"A-B"', /can't be a name/],
          ["5 } }", /expected text/],
          ["nobody", /there is no agent "nobody"/],
          ["0\n", /max_iterations: expected more than 0, found 0/],
          [
            "max_iteration: 5",
            /unknown key "max_iteration" in limits \(did you mean "max_iterations"\?\)/,
          ],
          ["8 hours", /90s|15m|8h/],
          ["-1\n", /max_cost_usd: expected more than 0/],
          ["lots", /max_tokens: expected a (whole )?number, found "lots"/],
          ["5\n  no_progress", /iteration_timeout: /],
          ["1.5", /no_progress_after: expected a whole number/],
          ["yes", /workflow_failure_cap: expected a (whole )?number/],
          ["tests/**", /protect: expected a list/],
          ["require-red", /expected one of require_red, allow_green/],
          ["always", /expected one of claims, implementing/],
          ["aprove", /did you mean "approve"/],
          ["ignore", /expected one of count_iterations, stop/],
          ["container", /isolation: expected none, found "container"/],
          ["adpot", /policy: expected adopt, found "adpot"/],
          ["-3m", /90s|15m|8h/],
          ["not a url", /webhook/],
          ["everything]", /expected one of stopped, attention, limit_80/],
          ["50 apples", /raw_log_cap/],
          ["modle", /did you mean "model"/],
          ["{ modle", /"tiers.fast.fake.model" is missing/],
          ["stash", /expected one of snapshot, refuse/],
          ["soon", /takeover_after/],
          ["max_iterations: 3", /unknown key "max_iterations"/],
        ],
      },
    );
  });

  test("one mistake never hides another", async () => {
    const text = `goal_file: .loopwright/goal.md
workflow_set: set
agents:
  "my coder": { adapter: command, command: [], prompt: fle }
  coder: { adapter: command }
default_agent: codr
limits: { max_iterations: none, max_cost_usd: 5 }
gate: { checks: .loopwright/chekcs, protect: [5, ../outside, goal.txtt] }
`;
    await expectErrors(
      { "loopwright.yaml": text },
      {
        "loopwright.yaml": [
          ['"my coder"', /"my coder" can't be a name here/],
          ["[], prompt", /command: expected a list that isn't empty/],
          ["fle }", /prompt: expected one of stdin, file, found "fle"/],
          ["{ adapter: command }", /has no "command"/],
          ["codr", /there is no agent "codr" \(did you mean "coder"\?\)/],
          ["none,", /max_iterations: expected a number, found "none"/],
          [".loopwright/chekcs", /gate\.checks: \.loopwright\/chekcs does not exist/],
          ["5, ..", /protect\.0: expected text, found 5/],
          ["../outside", /must stay inside the checkout/],
        ],
      },
    );
  });

  test("what must be there and isn't", async () => {
    await expectErrors(
      { "loopwright.yaml": "goal_fil: .loopwright/goal.md\nlimits:\n" },
      {
        "loopwright.yaml": [
          [
            "goal_fil",
            /unknown key "goal_fil" \(did you mean "goal_file"\?\)[^]*"goal_file" is missing|"goal_file" is missing/,
          ],
          ["limits", /limits: expected keys with values/],
        ],
      },
    );
  });

  const syntax: Record<string, readonly [text: string, at: string, says: RegExp]> = {
    "a tab as indentation": ["limits:\n\tmax_iterations: 3\n", "\tmax", /tab/i],
    "a key that stands there twice": [
      "goal_file: a\ngoal_file: b\n",
      "goal_file: b",
      /the key "goal_file" stands here twice; first at loopwright\.yaml:1:1/,
    ],
    "a bracket that isn't closed": ["agents: { fake: { adapter: command }\n", "", /./],
    "a list instead of keys": ["- goal_file: x\n", "- goal", /expected keys with values/],
    "a text instead of keys": ["just words\n", "just", /expected keys with values/],
    "an anchor that isn't there": ["goal_file: *goal\n", "*goal", /anchor|alias/i],
  };
  test.each(Object.entries(syntax))("%s", async (_, [text, at, says]) => {
    room.write("loopwright.yaml", text);
    const [validate] = (await callAll(room, [["validate"]])) as [Called];
    expect(validate.code).toBe(5);
    const place =
      at === ""
        ? /^error loopwright\.yaml:\d+:\d+ /m
        : new RegExp(`^error ${placeOf("loopwright.yaml", text, at)}`, "m");
    expect(validate.stdout).toMatch(place);
    expect(validate.stdout).toMatch(says);
    expectWaysOut(validate.stdout);
  });

  test("what can't be a configuration at all", async () => {
    const path = room.source("loopwright.yaml");
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghij"
      .split("")
      .map((name, index) => `${name}: &${name} [${`*${"abcdefghij"[index]},`.repeat(9)}]`)
      .join("\n")}\n`;
    for (const content of [
      Buffer.alloc(0),
      Buffer.from("fffe00d8", "hex"),
      Buffer.alloc(2 << 20, "a"),
      Buffer.from("a: b\n---\nc: d\n"),
      Buffer.from(bomb),
    ]) {
      writeFileSync(path, content);
      const [validate] = (await callAll(room, [["validate"]])) as [Called];
      expect({ content: content.subarray(0, 20).toString("latin1"), ...validate }).toMatchObject({
        code: 5,
      });
      expect(validate.stdout + validate.stderr).toMatch(/loopwright\.yaml/);
      expect(validate.stdout + validate.stderr).not.toMatch(/\n\s+at |UNEXPECTED/);
    }
    for (const make of ["mkfifo", "mkdir"]) {
      rmSync(path, { recursive: true });
      execFileSync(make, [path]);
      const [validate] = (await callAll(room, [["validate"]])) as [Called];
      expect({ make, code: validate.code }).toEqual({ make, code: 5 });
      expect(validate.stdout + validate.stderr).toMatch(/loopwright\.yaml.*regular file/);
    }
    rmSync(path, { recursive: true });
    const [missing] = (await callAll(room, [["validate"]])) as [Called];
    expect(missing.code).toBe(4);
    expect(missing.stderr).toMatch(/loopwright\.yaml does not exist[^]*hint: Run: loopwright init/);
  });
});

test("mistakes in the goal, the set and its name", async () => {
  const configuration = `goal_file: .loopwright/gaol.md\nworkflow_set: sett\nagents: { a: { adapter: command, command: [node] } }\ndefault_agent: a\n`;
  await expectErrors(
    { "loopwright.yaml": configuration },
    {
      "loopwright.yaml": [
        [".loopwright/gaol.md", /the goal file .*gaol\.md does not exist/],
        ["sett", /there is no workflow set "sett"/],
      ],
    },
  );
});

test("mistakes in workflows, all of them at once", async () => {
  const folder = ".loopwright/workflows/set";
  const work = `priorty: 3
priority: high
run_every: 0
must_follow: plan
not_before_iteration: -1
run_after_successes: { workflow: wrk, evry: 2 }
enabled: yes
agent: nobody
tier: fast
session: new
timeout: 5 minutes
`;
  await expectErrors(
    {
      [`${folder}/work/workflow.yaml`]: work,
      [`${folder}/work/prompt.md`]: "Write to {{outt}}, {{ }} and {{Iteration}}.\n",
      [`${folder}/blank/workflow.yaml`]: "must_follow: blnk\n",
      [`${folder}/blank/prompt.md`]: "  \n\n",
      [`${folder}/promptless/workflow.yaml`]: "",
      [`${folder}/fieldless/prompt.md`]: "Go.\n",
      [`${folder}/two words/workflow.yaml`]: "",
      [`${folder}/preamble.md`]: "Ground rules of {{seshun}}.\n",
    },
    {
      [`${folder}/work/workflow.yaml`]: [
        ["priorty", /unknown key "priorty" \(did you mean "priority"\?\)/],
        ["high", /priority: expected a (whole )?number/],
        ["0\n", /run_every: expected more than 0/],
        ["plan\n", /plan/],
        ["-1", /not_before_iteration: expected at least 0/],
        ["evry", /unknown key "evry".*did you mean "every"/],
        ["{ workflow", /"run_after_successes.every" is missing/],
        ["yes", /enabled: expected true or false/],
        ["nobody", /there is no agent "nobody"/],
        ["fast", /there is no tier "fast"/],
        ["new", /session: expected one of fresh, resume, found "new"/],
        ["5 minutes", /timeout/],
      ],
      [`${folder}/work/prompt.md`]: [
        ["{{outt}}", /unknown placeholder \{\{outt\}\} \(did you mean \{\{out\}\}\?\)/],
        ["{{ }}", /unknown placeholder/],
        ["{{Iteration}}", /did you mean \{\{iteration\}\}/],
      ],
      [`${folder}/blank/workflow.yaml`]: [
        ["blnk", /must_follow of blank names blnk, which is not in the set/],
      ],
      [`${folder}/blank/prompt.md`]: [["", /this file is blank/]],
      [`${folder}/fieldless/workflow.yaml`]: [["", /this file is missing/]],
      [`${folder}/promptless/prompt.md`]: [["", /this file is missing/]],
      [`${folder}/two words`]: [["", /"two words" can't be the id of a workflow/]],
      [`${folder}/preamble.md`]: [["{{seshun}}", /unknown placeholder \{\{seshun\}\}/]],
    },
  );
});

test("mistakes in checks, all of them at once", async () => {
  const folder = ".loopwright/checks";
  await expectErrors(
    {
      [`${folder}/a.yaml`]: "id: a\ntype: comand\nrun: [5]\n",
      [`${folder}/b.yaml`]:
        'id: b\ntype: command\ntimout: 5m\nexpect: { exit: 256, stdout_matches: "(" }\nretries: 11\n',
      [`${folder}/c.yaml`]: "id: c\ntype: file\npath: ../outside\nrun: [true]\n",
      [`${folder}/d.yaml`]: "id: goal\ntype: file\npath: /etc/passwd\n",
      [`${folder}/e.yaml`]: "id: two words\ntype: command\nrun: 5\ntimeout: 0s\nweight: 0\n",
      [`${folder}/f.yaml`]: "id: f\ntype: judge\njudge: { agent: nobody, question: Is it good? }\n",
      [`${folder}/g.yaml`]: "id: [\n",
      [`${folder}/h.yaml`]: "",
      [`${folder}/i.yaml`]: 'id: goal\ntype: command\nrun: ["true"]\n',
      [`${folder}/j.yaml`]: "id: j\ntype: command\n",
      [`${folder}/k.yaml`]: "id: k\ntype: command\nrun: [nosuchprog, x]\nretires: 1\n",
      [`${folder}/l.yaml`]: "id: l\ntype: command\nrun: [./no.sh]\ncwd: nowhere\n",
    },
    {
      [`${folder}/a.yaml`]: [
        ["comand", /expected one of command, file, found/],
        ["5]", /run\.0: expected text, found 5/],
      ],
      [`${folder}/b.yaml`]: [
        ["timout", /did you mean "timeout"/],
        ["command", /needs "run"/],
        ["256", /at most 255/],
        ['"("', /no regular expression/],
        ["11", /at most 10/],
      ],
      [`${folder}/c.yaml`]: [
        ["../outside", /inside the repository/],
        ["[true]", /"run" means nothing in a check of type file/],
        ["true]", /expected text, found true/],
      ],
      [`${folder}/d.yaml`]: [["/etc/passwd", /inside the repository/]],
      [`${folder}/e.yaml`]: [
        ["two words", /id: expected a name, found "two words"/],
        ["5\n", /run: expected text or a list, found 5/],
        ["0s", /timeout: expected more than 0/],
        ["0\n", /weight: expected more than 0/],
      ],
      [`${folder}/f.yaml`]: [["judge\n", /"judge" is not available in this version/]],
      [`${folder}/g.yaml`]: [[null, /the "\[" here is not closed/]],
      [`${folder}/h.yaml`]: [[null, /"id" is missing[^]*"type" is missing/]],
      [`${folder}/i.yaml`]: [
        ["goal", /the check id "goal" is taken by \.loopwright\/checks\/goal\.yaml/],
      ],
      [`${folder}/j.yaml`]: [["command", /needs "run"/]],
      [`${folder}/k.yaml`]: [
        ["nosuchprog", /the program "nosuchprog" of the check "k" was not found/],
        ["retires", /did you mean "retries"/],
      ],
      [`${folder}/l.yaml`]: [["nowhere", /runs in nowhere, which is no folder/]],
    },
  );
});
