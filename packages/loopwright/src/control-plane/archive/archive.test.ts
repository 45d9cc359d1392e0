import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { runtimeLayout } from "../../store/layout.ts";
import { takeLock } from "../../store/lock.ts";
import { readActivation } from "../goal-activation.ts";
import {
  archiveRuntimeGoal,
  listArchives,
  renderArchiveMarkdown,
  restoreArchivedGoal,
} from "./index.ts";
import { requireSchedulable } from "./schedulable.ts";
import { createRoom, type Room, seams } from "./testing/room.ts";
import { digestTree } from "./tree.ts";

let room: Room;
beforeEach(() => {
  room = createRoom();
});

const runtime = () => runtimeLayout(room.runtimeRoot);

describe("a dry run", () => {
  test("moves nothing, and its path is the one that is then taken", async () => {
    const before = digestTree(room.runtimeRoot);
    const planned = await archiveRuntimeGoal(seams, room.request({}));
    expect(planned).toMatchObject({
      ok: true,
      goal_id: "shop",
      registry_member: true,
      dry_run: true,
      archived: false,
      action: "would-move",
      source: runtime().goal("shop").directory,
      archive_root: runtime().archivedGoals,
    });
    expect(basename(planned.archive_path)).toMatch(/^shop-\d{8}T\d{6}Z$/);
    expect(digestTree(room.runtimeRoot)).toBe(before);
    const moved = await archiveRuntimeGoal(
      seams,
      room.request({ execute: true, archivePath: planned.archive_path }),
    );
    expect(moved).toMatchObject({ archived: true, action: "moved" });
    expect(moved.archive_path).toBe(planned.archive_path);
    expect(renderArchiveMarkdown(moved)).toContain(
      `- to: ${planned.archive_path}\n- result: moved`,
    );
  });
});

describe.each(["the same file system", "another file system"])("archiving on %s", (where) => {
  const other = "/dev/shm";
  const crosses = existsSync(other) && statSync(other).dev !== statSync("/tmp").dev;
  const far =
    where === "another file system" && crosses ? mkdtempSync(join(other, "lw-")) : undefined;
  afterAll(() => far !== undefined && rmSync(far, { recursive: true, force: true }));
  const skip = where === "another file system" && !crosses;

  test.skipIf(skip)("and restoring gives back what was there", async () => {
    const { directory } = runtime().goal("shop");
    symlinkSync("/nowhere", join(directory, "sessions", "link"));
    const before = readFileSync(join(directory, "sessions", "notes.txt"), "utf8");
    const archived = await archiveRuntimeGoal(
      seams,
      room.request({ execute: true, archiveRoot: far ?? null }),
    );
    expect(existsSync(directory)).toBe(false);
    expect(
      JSON.parse(readFileSync(join(archived.archive_path, "goal.json"), "utf8")),
    ).toMatchObject({
      activation: { state: "archived" },
      mine: "kept",
    });
    expect(listArchives(runtime()).archives).toMatchObject([
      { goal_id: "shop", path: archived.archive_path, unfinished: false },
    ]);
    expect(() => requireSchedulable(runtime(), "shop")).toThrow(
      expect.objectContaining({ code: "GOAL_ARCHIVED" }),
    );
    const restored = await restoreArchivedGoal(seams, room.restore("shop"));
    expect(restored).toMatchObject({ ok: true, restored: true, restored_path: directory });
    expect(existsSync(archived.archive_path)).toBe(false);
    expect(readFileSync(join(directory, "sessions", "notes.txt"), "utf8")).toBe(before);
    expect(existsSync(join(directory, "archive.json"))).toBe(false);
    expect(readActivation(runtime().goal("shop"))?.state).toBe("active");
    requireSchedulable(runtime(), "shop");
    const log = readFileSync(runtime().archiveLog, "utf8");
    expect(log).toContain('"event":"archived"');
    expect(log).toContain('"event":"restored"');
  });
});

describe("refused, and nothing is changed:", () => {
  async function expectRefused(
    fields: Parameters<Room["request"]>[0],
    code: string,
  ): Promise<void> {
    const before = digestTree(room.directory);
    for (const execute of [false, true]) {
      const payload = await archiveRuntimeGoal(seams, room.request({ ...fields, execute }));
      expect(payload).toMatchObject({ ok: false, archived: false });
      expect(payload.checks.at(-1)).toMatchObject({ ok: false, code });
    }
    expect(digestTree(room.directory)).toBe(before);
  }

  test("a registered goal that wasn't allowed", () =>
    expectRefused({ allowRegistered: false }, "GOAL_REGISTERED"));
  test("a goal that isn't there", () => expectRefused({ goalId: "shpo" }, "GOAL_NOT_FOUND"));
  test("a registry that can't be read", async () => {
    writeFileSync(room.registryPath, "{");
    await expectRefused({}, "REGISTRY_INVALID");
  });
  test.each(["../shop", "a/b", ".", "", "x".repeat(300), "CON", "a.", "a\n", "a\u0000b", "%2e%2e"])(
    "the id %j",
    (goalId) => expectRefused({ goalId }, "GOAL_ID_INVALID"),
  );
  test("a link in the goal's place", async () => {
    mkdirSync(join(room.directory, "outside"));
    symlinkSync(join(room.directory, "outside"), runtime().goal("linked").directory);
    await expectRefused({ goalId: "linked" }, "FILE_UNSAFE");
  });
  test("a file in the goal's place", async () => {
    writeFileSync(runtime().goal("filed").directory, "");
    await expectRefused({ goalId: "filed" }, "FILE_UNSAFE");
  });
  test("a place that is taken", () =>
    expectRefused({ archivePath: room.directory }, "PLACE_TAKEN"));
  test("a place among the goals", () =>
    expectRefused({ archivePath: join(runtime().goals, "shop", "inside") }, "PLACE_TAKEN"));
  test("a goal with a coordinator that lives", async () => {
    const lock = takeLock(seams.disk, runtime().goal("shop").lock, seams.processes.self(), {
      liveness: () => "dead",
      at: "2026-01-01T00:00:00.000Z",
      purpose: "goal",
      goalId: "shop",
    });
    expect(lock.ok).toBe(true);
    await expectRefused({}, "LOCK_HELD");
  });
});

test("several archives of one goal have names of their own, and an id that means several is refused", async () => {
  const first = await archiveRuntimeGoal(seams, room.request({ execute: true }));
  room.makeGoal("shop");
  const second = await archiveRuntimeGoal(seams, room.request({ execute: true }));
  expect(second.archive_path).not.toBe(first.archive_path);
  expect((await restoreArchivedGoal(seams, room.restore("shop"))).checks.at(-1)).toMatchObject({
    code: "ARCHIVE_AMBIGUOUS",
  });
  room.makeGoal("shop");
  const taken = await restoreArchivedGoal(seams, room.restore(basename(first.archive_path)));
  expect(taken.checks.at(-1)).toMatchObject({ code: "PLACE_TAKEN" });
  expect(existsSync(first.archive_path)).toBe(true);
});

test("what LoopX has archived is listed and can be restored", async () => {
  const path = join(runtime().archivedGoals, "old-20250102T030405Z");
  mkdirSync(join(path, "runs"), { recursive: true });
  expect(listArchives(runtime()).archives).toMatchObject([
    { goal_id: "old", at: "2025-01-02T03:04:05.000Z" },
  ]);
  await restoreArchivedGoal(seams, room.restore("old"));
  expect(existsSync(join(runtime().goals, "old", "runs"))).toBe(true);
});
