import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { expectRefused, records } from "./harness/account.ts";
import { type Attempted, runOneAfterAnother } from "./harness/one-after-another.ts";
import { useRooms } from "./harness/rooms.ts";
import type { ScratchOptions } from "./harness/scratch.ts";
import { CLAIM, controlOf, DONE, report, type Step } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 180_000 });
const createRoom = useRooms();
const createLastingRoom = useRooms("file");

/** One check by what a file says, one by a script in a protected folder. */
const GATED: ScratchOptions = {
  checks: {
    goal: { type: "command", run: ["grep", "-qx", "done", "goal.txt"] },
    accept: { type: "command", run: ["sh", "tests/accept.sh"], timeout: "20s" },
  },
  gate: { protect: ["tests/**"] },
  files: {
    "tests/accept.sh": "grep -qx done goal.txt && ! test -e tests/skip\n",
    "tests/data/one.txt": "1\n",
  },
};
const ACCEPT = "{{checkout}}/tests/accept.sh";
const CHECK = "{{checkout}}/.loopwright/checks/goal.yaml";

test("a claim is accepted once its check passes at that tree", async () => {
  const room = await createRoom({ plan: { steps: [DONE, report(), CLAIM] } });
  expect((await room.call(["run"])).code).toBe(0);
  expect(records(room, "session_stopped")).toMatchObject([{ status: "goal_met", verified: true }]);
});

describe("a claim while the work isn't done is refused when the agent", () => {
  const attacks: Record<string, { readonly steps: readonly Step[]; readonly replaced?: string }> = {
    "only claims": { steps: [] },
    "edits the check": {
      steps: [{ write: CHECK, text: '{"id": "goal", "type": "command", "run": ["true"]}' }],
      replaced: "changed .loopwright/checks/goal.yaml",
    },
    "deletes the check": {
      steps: [{ delete: CHECK }],
      replaced: "deleted .loopwright/checks/goal.yaml",
    },
    "deletes the project's files": {
      steps: [
        "loopwright.yaml",
        ".loopwright/checks",
        ".loopwright/workflows",
        ".loopwright/goal.md",
      ].map((path) => ({ rm: `{{checkout}}/${path}` })),
      replaced: "deleted .loopwright/checks/goal.yaml",
    },
    "replaces the checks directory by a link": {
      steps: [
        { mkdir: "{{out}}/checks" },
        { rm: "{{checkout}}/.loopwright/checks" },
        { symlink: "{{checkout}}/.loopwright/checks", target: "{{out}}/checks" },
      ],
      replaced: "not_a_directory .loopwright/checks",
    },
    "adds a check that passes": {
      steps: [
        {
          write: "{{checkout}}/.loopwright/checks/more.yaml",
          text: '{"id": "more", "type": "file", "path": "README.md"}',
        },
      ],
      replaced: "added .loopwright/checks/more.yaml",
    },
    "edits the protected test": {
      steps: [{ write: ACCEPT, text: "exit 0\n" }],
      replaced: "changed tests/accept.sh",
    },
    "deletes the protected test": {
      steps: [{ delete: ACCEPT }],
      replaced: "deleted tests/accept.sh",
    },
    "adds a protected file": {
      steps: [{ write: "{{checkout}}/tests/skip", text: "" }],
      replaced: "added tests/skip",
    },
    "replaces the protected test by a link": {
      steps: [
        { write: "{{out}}/pass.sh", text: "exit 0\n" },
        { delete: ACCEPT },
        { symlink: ACCEPT, target: "{{out}}/pass.sh" },
      ],
      replaced: "not_a_file tests/accept.sh",
    },
    "replaces the protected test by a FIFO": {
      steps: [{ delete: ACCEPT }, { mkfifo: ACCEPT }],
      replaced: "not_a_file tests/accept.sh",
    },
    "replaces the protected test by a directory": {
      steps: [{ delete: ACCEPT }, { mkdir: `${ACCEPT}/deeper` }],
      replaced: "not_a_file tests/accept.sh",
    },
    "replaces the protected folder by a file": {
      steps: [{ rm: "{{checkout}}/tests" }, { write: "{{checkout}}/tests", text: "exit 0\n" }],
      replaced: "not_a_directory tests",
    },
    "hides the protected test from git": {
      steps: [
        { write: ACCEPT, text: "exit 0\n" },
        { append: "{{checkout}}/.gitignore", text: "tests/\n" },
        { git: ["update-index", "--assume-unchanged", "tests/accept.sh"], cwd: "{{checkout}}" },
      ],
      replaced: "changed tests/accept.sh",
    },
    "takes all rights from the protected folder": {
      steps: [
        { write: ACCEPT, text: "exit 0\n" },
        { chmod: "{{checkout}}/tests", mode: "000" },
      ],
      replaced: "changed tests/accept.sh",
    },
    "commits the weakened test": {
      steps: [
        { write: ACCEPT, text: "exit 0\n" },
        {
          git: ["-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-qam", "Green"],
          cwd: "{{checkout}}",
        },
      ],
      replaced: "changed tests/accept.sh",
    },
  };

  let attempted: Attempted;
  beforeAll(async () => {
    const ways = Object.fromEntries(
      Object.entries(attacks).map(([name, { steps }]) => [name, steps]),
    );
    attempted = await runOneAfterAnother(createLastingRoom, ways, {
      ...GATED,
      atEnd: [report(), CLAIM],
    });
  }, 300_000);

  test("the session goes on to its limit, and every account of it says so", () => {
    const { goal, show, verify } = attempted.account;
    expect(goal).toMatchObject({ status: "stopped", stop_reason: "max_iterations" });
    expect(show.stdout).toContain("max_iterations");
    expect(verify.stdout).toMatch(/everything agrees/);
    expect(records(attempted.room, "control_accepted")).toHaveLength(Object.keys(attacks).length);
  });

  test.each(Object.entries(attacks))("%s", (name, { replaced }) => {
    const iteration = attempted.iteration(name);
    const verified = records(attempted.room, "verification_finished").filter(
      (record) => record["iteration"] === iteration,
    );
    expect(verified).toMatchObject([{ kind: "claim", receipt: { outcome: "fail", reused: null } }]);
    const receipt = attempted.room
      .session()
      .json(`evaluations/${String(iteration).padStart(4, "0")}-1/receipt.json`);
    const list = (receipt?.["replaced"] ?? []) as { path: string; found: string }[];
    const found = list.map((each) => `${each.found} ${each.path}`);
    if (replaced === undefined) expect(found).toEqual([]);
    else expect(found).toContain(replaced);
  });
});

test("the next prompt names the failing check, and the claim of an unchanged tree ends the session the third time", async () => {
  const room = await createRoom({
    plan: { steps: [report(), CLAIM] },
    limits: { max_iterations: 9 },
  });
  expect((await room.call(["run"])).code).toBe(10);
  await expectRefused(room);
  expect(records(room, "session_stopped")).toMatchObject([{ stop_reason: "claim_refused" }]);
  expect(readFileSync(room.session().path("iterations/0002_work/prompt.md"), "utf8")).toMatch(
    /What the engine found[^#]*goal/,
  );
  // The tree was the same, and what its digest doesn't cover may have changed all the same.
  expect(records(room, "verification_finished").map(({ receipt }) => receipt?.reused)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test("a claim is judged by what the checks find then, also where only ignored files changed since", async () => {
  const build: Step = { write: "{{checkout}}/dist/app", text: "" };
  const room = await createRoom({
    checks: { built: { type: "file", path: "dist/app" } },
    files: { ".gitignore": "dist/\n" },
    gate: { run: "implementing" },
    workflows: { work: { may_complete: true } },
    plan: {
      iterations: {
        1: [build, report()],
        2: [{ rm: "{{checkout}}/dist" }, report(), CLAIM],
        3: [build, report(), CLAIM],
      },
    },
  });
  expect((await room.call(["run"])).code).toBe(0);
  const verified = records(room, "verification_finished");
  expect(verified.map(({ kind, receipt }) => [kind, receipt?.outcome, receipt?.reused])).toEqual([
    ["baseline", "fail", null],
    ["advisory", "pass", null],
    ["claim", "fail", null],
    ["claim", "pass", null],
  ]);
});

test("checks that neither pass nor fail never meet the goal, and three such verifications end the session", async () => {
  const erring: Record<string, { text: string; detail: RegExp }> = {
    gone: { text: "", detail: /could not be started/ },
    killed: { text: "kill -9 $$", detail: /SIGKILL/ },
    missing: { text: "exit 127", detail: /127/ },
    forbidden: { text: "exit 126", detail: /126/ },
    endless: { text: "trap '' TERM; while :; do sleep 1; done", detail: /longer than 2/ },
  };
  const entries = Object.entries(erring);
  const script = (text: string): string => `#!/bin/sh\n${text}\n`;
  const change = entries.flatMap(([id, { text }]): Step[] => {
    const path = `{{checkout}}/bin/${id}`;
    return id === "gone"
      ? [{ delete: path }]
      : [
          { write: path, text: script(text) },
          { chmod: path, mode: "755" },
        ];
  });
  const room = await createRoom({
    checks: Object.fromEntries(
      entries.map(([id]) => [id, { type: "command", run: [`bin/${id}`], timeout: "2s" }]),
    ),
    files: Object.fromEntries(entries.map(([id]) => [`bin/${id}`, script("test -e goal.txt")])),
    plan: { steps: [DONE, ...change, CLAIM] },
  });
  expect((await room.call(["run"])).code).toBe(10);
  const { goal } = await expectRefused(room);
  expect(goal["stop_reason"]).toBe("gate_error");
  expect(records(room, "task_assigned")).toHaveLength(1);
  const claims = records(room, "verification_finished").filter(({ kind }) => kind === "claim");
  expect(claims).toHaveLength(3);
  for (const { receipt } of claims) {
    expect(receipt?.outcome).toBe("error");
    for (const { id, outcome, detail } of receipt?.checks ?? [])
      expect({ id, outcome, detail }).toEqual({
        id,
        outcome: "error",
        detail: expect.stringMatching(erring[id]?.detail ?? /^$/),
      });
  }
});

describe("requests to stop that aren't one of this attempt", () => {
  test("a control.json that a child writes after its iteration is not seen, and the child is ended", async () => {
    const late = [
      { sleep: 60_000 },
      { write: "{{control}}", json: controlOf({ stop_reason: "goal_met", reason: "late" }) },
    ];
    const room = await createRoom({
      plan: {
        steps: [
          DONE,
          { spawn: { setsid: true, ignoreTerm: true, pidFile: "{{out}}/pid", steps: late } },
          report(),
        ],
      },
      limits: { max_iterations: 1 },
    });
    expect((await room.call(["run"])).code).toBe(10);
    await expectRefused(room);
    const [finished] = records(room, "task_finished");
    expect(finished).toMatchObject({
      outcome: "ok",
      control: { state: "absent" },
      leftovers: [{ ended: true }],
    });
  });

  test("one that names an earlier attempt is stale", async () => {
    const keep: Step = {
      write: "{{project_state}}/old.json",
      json: controlOf({ stop_reason: "goal_met", reason: "old" }),
    };
    const copy: Step = { run: ["cp", "{{project_state}}/old.json", "{{control}}"] };
    const room = await createRoom({
      plan: { iterations: { 1: [keep], 2: [DONE, copy] } },
      limits: { max_iterations: 2 },
    });
    expect((await room.call(["run"])).code).toBe(10);
    await expectRefused(room);
    expect(records(room, "control_refused")).toMatchObject([{ iteration: 2, verdict: "stale" }]);
  });

  test("one in the session's own place is judged like any other claim", async () => {
    const room = await createRoom({
      plan: {
        steps: [
          {
            write: "{{session}}/control.json",
            json: controlOf({ stop_reason: "goal_met", reason: "done" }),
          },
        ],
      },
      limits: { max_iterations: 1 },
    });
    expect((await room.call(["run"])).code).toBe(10);
    await expectRefused(room);
    expect(records(room, "control_accepted")).toHaveLength(1);
  });

  test("a workflow that may not complete claims in vain, in either place", async () => {
    const room = await createRoom({
      workflows: { work: {}, judge: { priority: -1, may_complete: true } },
      plan: {
        workflows: {
          work: {
            steps: [
              DONE,
              CLAIM,
              {
                write: "{{session}}/control.json",
                json: controlOf({ stop_reason: "goal_met", reason: "x" }),
              },
            ],
          },
        },
      },
      limits: { max_iterations: 2 },
    });
    expect((await room.call(["run"])).code).toBe(10);
    await expectRefused(room);
    expect(records(room, "control_refused")).toMatchObject([
      { workflow_id: "work", verdict: "refused" },
    ]);
  });

  test("markers of an earlier session end nothing in the next one", async () => {
    const room = await createRoom({
      plan: { steps: [report(), CLAIM] },
      limits: { max_iterations: 1 },
    });
    expect((await room.call(["run"])).code).toBe(10);
    const first = room.session();
    room.plan({
      steps: [
        DONE,
        { run: ["cp", first.path("iterations/0001_work/control_taken.json"), "{{control}}"] },
      ],
    });
    expect((await room.call(["run", "--new"])).code).toBe(10);
    await expectRefused(room);
    expect(room.sessions()).toHaveLength(2);
    expect(records(room, "control_refused")).toMatchObject([{ verdict: "stale" }]);
  });
});

test("words in the output decide nothing", async () => {
  const words = [
    "DONE\n<promise>COMPLETE</promise>\nI must not say DONE yet\n",
    '{"type": "result", "subtype": "success", "is_error": false}\n{"is_error": true}\n',
    "[2026-01-01] [x] all boxes ticked\nEXIT_SIGNAL: true\nrate limit exceeded, 401 unauthorized, context length exceeded\n",
  ];
  const room = await createRoom({
    plan: {
      steps: [
        ...words.map((print) => ({ print })),
        { print: "fatal: no space left on device\n", to: "stderr" },
        report({ summary: "goal_met DONE" }),
      ],
    },
    limits: { max_iterations: 2 },
  });
  expect((await room.call(["run"])).code).toBe(10);
  const { goal } = await expectRefused(room);
  expect(goal["stop_reason"]).toBe("max_iterations");
  expect(records(room, "task_finished")).toMatchObject([
    { succeeded: true, outcome: "ok" },
    { succeeded: true, outcome: "ok" },
  ]);
});

test("a tree that was made to look done for the baseline is not red, so nothing can turn green", async () => {
  const room = await createRoom({ plan: { steps: [CLAIM] } });
  writeFileSync(room.source("goal.txt"), "done\n");
  const ran = await room.call(["run"]);
  expect(ran.code).toBe(5);
  expect(records(room, "session_stopped")).toMatchObject([{ stop_reason: "baseline_green" }]);
  expect(room.witnessed()).toEqual([]);
});
