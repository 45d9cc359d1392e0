import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { until } from "../crash/harness/wait.ts";
import { accountOf, records } from "./harness/account.ts";
import { useRooms } from "./harness/rooms.ts";
import { commitAll, GOAL, type Scratch } from "./harness/scratch.ts";
import { CLAIM, DONE, report } from "./harness/steps.ts";
import { snapshotOf } from "./harness/snapshot.ts";

vi.setConfig({ testTimeout: 180_000 });
const createRoom = useRooms();

const MEETS = { steps: [DONE, report(), CLAIM] };

async function expectMet(room: Scratch, cwd = room.repository): Promise<void> {
  const ran = await room.call(["run"], { cwd });
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: "" });
  const { goal, verify } = await accountOf(room);
  expect(goal).toMatchObject({ status: "goal_met", verified: true });
  expect(verify.code).toBe(0);
}

describe("a goal is met in a repository", () => {
  test("with a detached HEAD, and an index.lock that somebody left behind", async () => {
    const room = await createRoom({ plan: MEETS });
    room.git("checkout", "--quiet", "--detach");
    writeFileSync(room.source(".git", "index.lock"), "");
    await expectMet(room);
    expect(records(room, "task_finished")).toMatchObject([
      { changes: { branch_before: null, files_changed: 1 } },
    ]);
    expect(existsSync(room.source(".git", "index.lock"))).toBe(true);
  });

  test("without a remote, on a branch of another name, with local changes of the user's own", async () => {
    const room = await createRoom({ plan: MEETS });
    room.git("branch", "--move", "trunk");
    room.write("README.md", "# Changed by its owner\n");
    room.write("untracked.txt", "mine\n");
    room.git("stash", "push", "--quiet", "--include-untracked");
    room.write("README.md", "# Changed again\n");
    await expectMet(room);
    expect(readFileSync(room.source("README.md"), "utf8")).toBe("# Changed again\n");
    expect(room.git("stash", "list")).toContain("stash@{0}");
    expect(records(room, "task_finished")).toMatchObject([{ changes: { branch_after: "trunk" } }]);
  });

  test("that is a linked work tree", async () => {
    const room = await createRoom({ plan: MEETS });
    const tree = room.file("tree");
    room.git("worktree", "add", "--quiet", "-b", "side", tree);
    const made = await room.call(
      ["init", "--goal-id", "side", "--runtime-root", room.runtimeRoot],
      { cwd: tree },
    );
    expect(made.code).toBe(0);
    const ran = await room.call(["run"], { cwd: tree });
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: "" });
    expect(readFileSync(`${tree}/goal.txt`, "utf8")).toBe("done\n");
    expect(existsSync(room.source("goal.txt"))).toBe(false);
    expect((await room.call(["verify"], { cwd: tree })).code).toBe(0);
  });

  test("that is reached through a link, from a folder inside of it", async () => {
    const room = await createRoom({ plan: MEETS });
    const link = room.file("link");
    symlinkSync(room.repository, link);
    mkdirSync(`${link}/deep/down`, { recursive: true });
    await expectMet(room, `${link}/deep/down`);
    const again = await room.call(["status", "--json"], { cwd: link });
    expect(JSON.parse(again.stdout)).toMatchObject({ goals: [{ id: GOAL, status: "goal_met" }] });
  });
});

describe("nothing is started, and everything stays as it is, in a repository", () => {
  test("without a commit, until there is one", async () => {
    const room = await createRoom({ plan: MEETS, commit: false });
    const before = snapshotOf(room.repository, room.runtimeRoot);
    const ran = await room.call(["run"]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toMatch(/no commit yet[^]*git add/);
    expect(snapshotOf(room.repository, room.runtimeRoot)).toEqual(before);
    commitAll(room);
    await expectMet(room);
  });

  test("in whose work tree another goal is at work, whatever path leads there", async () => {
    const room = await createRoom({
      plan: { steps: [{ waitForFile: "{{checkout}}/../go" }, DONE, report(), CLAIM] },
    });
    const first = room.start(["run"]);
    await until("the first to run", () => room.witnessed().length === 1);

    const link = room.file("link");
    symlinkSync(room.repository, link);
    const registry = room.file("second", ".loopwright", "registry.json");
    mkdirSync(room.file("second", ".loopwright"), { recursive: true });
    writeFileSync(
      registry,
      JSON.stringify({
        schema_version: 1,
        common_runtime_root: room.runtimeRoot,
        goals: [
          {
            id: "second",
            title: "Second",
            repo: link,
            config: "loopwright.yaml",
            created_at: "2026-01-01T00:00:00.000Z",
          },
        ],
      }),
    );
    const second = await room.call(["--registry", registry, "run"]);
    expect(second.code).toBe(3);
    expect(second.stderr).toMatch(
      new RegExp(`is in use by goal "${GOAL}" \\(process \\d+ on .*\\)[^]*hint: .*worktree`),
    );
    expect(existsSync(room.file("runtime", "goals", "second", "sessions"))).toBe(false);

    writeFileSync(room.file("go"), "");
    expect(await first.exited).toBe(0);
    expect(room.witnessed()).toHaveLength(1);
  });
});
