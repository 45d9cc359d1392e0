import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { signalProcess } from "../crash/harness/process-table.ts";
import { until } from "../crash/harness/wait.ts";
import { accountOf, expectRefused, records } from "./harness/account.ts";
import { useRooms } from "./harness/rooms.ts";
import type { Scratch } from "./harness/scratch.ts";
import { CLAIM, report, type Step } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 180_000 });
const createRoom = useRooms();

async function runOnce(steps: readonly Step[], iterations = 1): Promise<Scratch> {
  const room = await createRoom({
    plan: { iterations: { 1: [...steps, report(), CLAIM] } },
    limits: { max_iterations: iterations },
  });
  const ran = await room.call(["run"]);
  expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 10 });
  return room;
}

/** Runs until the loop waits for a person, who then gives up. */
async function expectPaused(room: Scratch): Promise<void> {
  const run = room.start(["run"]);
  await until("the pause", () => run.ended() || records(room, "paused").length > 0);
  expect(records(room, "paused")).toMatchObject([{ reason: "workspace" }]);
  signalProcess(run, "SIGINT");
  expect(await run.exited).not.toBe(0);
  expect(run.stdout() + run.stderr()).not.toMatch(/\n\s+at /);
}

describe("a checkout that is gone or another one is told as what it is, when the agent", () => {
  test("deletes it", async () => {
    const room = await createRoom({
      plan: { steps: [{ rm: "{{checkout}}" }, { print: "gone\n" }, { sleep: 300_000 }] },
    });
    await expectPaused(room);
    expect(records(room, "task_finished")).toMatchObject([{ outcome: "workspace_gone" }]);
  });

  test("deletes .git", async () => {
    const room = await runOnce([{ rm: "{{checkout}}/.git" }]);
    const { goal, verify } = await expectRefused(room);
    expect(goal["status"]).toBe("stopped");
    expect(verify.stdout).toMatch(/git: .*(no git repository|not a git repository|part of)/);
  });

  test("puts another repository in its place", async () => {
    const room = await runOnce([
      { run: ["mv", "{{checkout}}", "{{checkout}}-old"] },
      { git: ["init", "-q", "{{checkout}}"] },
      { write: "{{checkout}}/goal.txt", text: "done\n" },
    ]);
    expect(records(room, "verification_finished").at(-1)?.["problem"]).toMatch(
      /not the repository that the session began in/,
    );
    // The registry lies in the project: with the project back in its place, everything is found again.
    renameSync(room.repository, `${room.repository}-new`);
    renameSync(`${room.repository}-old`, room.repository);
    const { goal } = await expectRefused(room);
    expect(goal["stop_reason"]).toBe("gate_error");
  });

  test("puts a link in its place", async () => {
    const room = await runOnce([
      { run: ["mv", "{{checkout}}", "{{checkout}}-old"] },
      { symlink: "{{checkout}}", target: "{{checkout}}-old" },
    ]);
    await expectRefused(room);
  });
});

test("nothing that the agent wrote into .git is run by us, neither while it goes on nor by a command afterwards", async () => {
  const witness = "{{checkout}}/../intruded";
  const script = `#!/bin/sh\necho "$0 $*" >> "$INTRUDED"\ncat\n`;
  const room = await createRoom({
    plan: {
      iterations: {
        1: [
          ...[
            "pre-commit",
            "post-checkout",
            "post-index-change",
            "fsmonitor-watchman",
            "reference-transaction",
            "pre-auto-gc",
          ].flatMap((hook): Step[] => [
            {
              write: `{{checkout}}/.git/hooks/${hook}`,
              text: script.replace("$INTRUDED", witness),
            },
            { chmod: `{{checkout}}/.git/hooks/${hook}`, mode: "755" },
          ]),
          { write: "{{checkout}}/evil.sh", text: script.replace("$INTRUDED", witness) },
          { chmod: "{{checkout}}/evil.sh", mode: "755" },
          {
            write: "{{checkout}}/.gitattributes",
            text: "* filter=evil diff=evil merge=evil text eol=crlf working-tree-encoding=UTF-16\n",
          },
          ...[
            ["core.fsmonitor", "{{checkout}}/evil.sh"],
            ["core.hooksPath", "{{checkout}}/.git/hooks"],
            ["core.pager", "{{checkout}}/evil.sh"],
            ["core.editor", "{{checkout}}/evil.sh"],
            ["core.sshCommand", "{{checkout}}/evil.sh"],
            ["core.alternateRefsCommand", "{{checkout}}/evil.sh"],
            ["core.worktree", "/"],
            ["core.excludesFile", "{{checkout}}/.everything"],
            ["diff.external", "{{checkout}}/evil.sh"],
            ["diff.evil.textconv", "{{checkout}}/evil.sh"],
            ["filter.evil.clean", "{{checkout}}/evil.sh"],
            ["filter.evil.smudge", "{{checkout}}/evil.sh"],
            ["filter.evil.process", "{{checkout}}/evil.sh"],
            ["filter.evil.required", "true"],
            ["merge.evil.driver", "{{checkout}}/evil.sh"],
            ["credential.helper", "{{checkout}}/evil.sh"],
            ["gpg.program", "{{checkout}}/evil.sh"],
            ["alias.status", "!{{checkout}}/evil.sh"],
            ["include.path", "{{checkout}}/evil.config"],
          ].map(([name, value]): Step => ({
            run: ["git", "config", "--file", "{{checkout}}/.git/config", name ?? "", value ?? ""],
          })),
          { write: "{{checkout}}/.everything", text: "*\n" },
          { write: "{{checkout}}/.git/info/attributes", text: "* filter=evil\n" },
          { write: "{{checkout}}/.git/info/exclude", text: "*\n" },
          report(),
        ],
        2: [{ write: "{{checkout}}/work.txt", text: "one\n" }, report(), CLAIM],
      },
    },
    limits: { max_iterations: 2 },
  });
  const ran = await room.call(["run"]);
  expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 10 });
  await expectRefused(room);
  for (const words of [
    ["validate"],
    ["explain"],
    ["timeline"],
    ["check"],
    ["doctor"],
    ["run", "--new", "--max-iterations", "1"],
  ])
    await room.call(words);
  expect(existsSync(room.file("intruded")) ? readFileSync(room.file("intruded"), "utf8") : "").toBe(
    "",
  );
  // Hidden from git by an exclude of its own, the second iteration's work is seen all the same.
  expect(records(room, "task_finished").length).toBeGreaterThan(0);
});

test("GIT_ variables of whoever starts the run lead nobody elsewhere, and reach no agent", async () => {
  const room = await createRoom({
    plan: {
      steps: [
        { write: "{{checkout}}/work.txt", text: "1\n" },
        { run: ["sh", "-c", "env > '{{out}}/environment'"] },
        report(),
      ],
    },
    limits: { max_iterations: 1 },
  });
  const elsewhere = room.file("elsewhere");
  mkdirSync(elsewhere);
  const environment = {
    GIT_DIR: elsewhere,
    GIT_WORK_TREE: elsewhere,
    GIT_INDEX_FILE: room.file("elsewhere-index"),
    GIT_OBJECT_DIRECTORY: elsewhere,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: room.file("evil.sh"),
    GIT_EXTERNAL_DIFF: room.file("evil.sh"),
    GIT_TRACE: room.file("trace"),
  };
  const ran = await room.call(["run"], { environment });
  expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 10 });
  expect(records(room, "task_finished")).toMatchObject([
    { outcome: "ok", changes: { files_changed: 1 } },
  ]);
  const seen = readFileSync(room.session().path("iterations/0001_work/out/environment"), "utf8");
  expect(
    seen
      .split("\n")
      .filter((line) => /^GIT_(DIR|WORK_TREE|INDEX|OBJECT|CONFIG|EXTERNAL|TRACE)/.test(line)),
  ).toEqual([]);
  expect(existsSync(room.file("trace"))).toBe(false);
  await accountOf(room);
});

test("git clean and reset --hard in the checkout take no memory with them", async () => {
  const room = await runOnce([
    { git: ["clean", "-xfdq"], cwd: "{{checkout}}" },
    { git: ["reset", "-q", "--hard"], cwd: "{{checkout}}" },
  ]);
  expect(existsSync(room.source(".loopwright/registry.json"))).toBe(false);
  const lost = await room.call(["status"]);
  expect(lost.stdout + lost.stderr).toMatch(/loopwright init/);
  const again = await room.call([
    "init",
    "--goal-id",
    "scratch-goal",
    "--runtime-root",
    room.runtimeRoot,
  ]);
  expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: "" });
  const { goal } = await expectRefused(room);
  expect(goal).toMatchObject({ status: "stopped", stop_reason: "max_iterations" });
});

test("a hostile tree is read in one piece: FIFOs, endless names, links in circles, nested repositories", async () => {
  const name = "n".repeat(200);
  const room = await createRoom({
    plan: {
      steps: [
        { mkfifo: "{{checkout}}/pipe" },
        { symlink: "{{checkout}}/circle", target: "circle" },
        { symlink: "{{checkout}}/root", target: "/" },
        { write: `{{checkout}}/${name}/${name}/${name}/deep`, text: "" },
        { write: '{{checkout}}/line\nbreak "quote" \u001b[31m', text: "" },
        { git: ["init", "-q", "{{checkout}}/nested"] },
        { write: "{{checkout}}/nested/file", text: "" },
        { write: "{{checkout}}/unreadable", text: "x" },
        report(),
        CLAIM,
      ],
    },
    limits: { max_iterations: 2 },
  });
  writeFileSync(room.file("keep"), "");
  const ran = await room.call(["run"]);
  expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 10 });
  await expectRefused(room);
  expect(records(room, "task_finished")[0]?.changes?.files_changed).toBeGreaterThanOrEqual(5);
});
