import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test, vi } from "vitest";
import { runtimeLayout } from "../../store/layout.ts";
import { createFaultyDisk } from "../../store/testing/faulty-disk.ts";
import { quickDisk } from "../../store/testing/quick-disk.ts";
import { archiveRuntimeGoal, listArchives, restoreArchivedGoal } from "./index.ts";
import { requireSchedulable } from "./schedulable.ts";
import { createRoom, type Room, seams } from "./testing/room.ts";
import { digestTree } from "./tree.ts";

// Every step of every move: many small files, slow on a busy disk.
vi.setConfig({ testTimeout: 300_000 });

const MEMORY = "/dev/shm";
const crosses = existsSync(MEMORY) && statSync(MEMORY).dev !== statSync("/tmp").dev;
const far = crosses ? mkdtempSync(join(MEMORY, "loopwright-")) : "";
afterAll(() => far !== "" && rmSync(far, { recursive: true, force: true }));

/** Stands for a process that is gone: from its n-th operation on, nothing reaches the disk any more. */
function gone(n: number) {
  const plan = [{ from: n, to: Infinity, what: { kind: "fail", code: "EIO" } }] as const;
  return { ...seams, disk: createFaultyDisk(quickDisk, plan), processes: DEAD_HOLDER };
}

/** The lock's holder is this very process; to whoever comes next it is dead. */
const DEAD_HOLDER = { ...seams.processes, liveness: () => "dead" as const };
const next = { ...seams, processes: DEAD_HOLDER };

const places = [
  ["within a file system", false],
  ...(crosses ? ([["across file systems", true]] as const) : []),
] as const;

describe.each(places)("%s", (_name, across) => {
  const archiveRoot = across ? far : null;

  test("an archiving cut off anywhere is finished by the same command, and nothing is lost", async () => {
    for (let n = 1; ; n += 1) {
      const room = createRoom();
      const before = contentOf(room);
      const cut = await archiveRuntimeGoal(
        gone(n),
        room.request({ execute: true, archiveRoot }),
      ).catch(() => undefined);
      expectOnePlace(room, before, n);
      const again = await archiveRuntimeGoal(next, room.request({ execute: true, archiveRoot }));
      const there = again.ok ? again.archive_path : expectArchived(room);
      expect(existsSync(runtimeLayout(room.runtimeRoot).goal("shop").directory)).toBe(false);
      expect(digestTree(join(there, "sessions"))).toBe(before);
      expect(listArchives(runtimeLayout(room.runtimeRoot)).archives).toHaveLength(1);
      const back = await restoreArchivedGoal(next, room.restore("shop"));
      expect(back).toMatchObject({ restored: true });
      expect(contentOf(room)).toBe(before);
      expectNoLitter(room, there);
      if (cut?.archived === true) break;
    }
  });

  test("a restoring cut off anywhere is finished by the same command, and nothing is lost", async () => {
    for (let n = 1; ; n += 1) {
      const room = createRoom();
      const before = contentOf(room);
      const { archive_path: path } = await archiveRuntimeGoal(
        next,
        room.request({ execute: true, archiveRoot }),
      );
      const cut = await restoreArchivedGoal(gone(n), room.restore(path)).catch(() => undefined);
      expectOnePlace(room, before, n);
      if (listArchives(runtimeLayout(room.runtimeRoot)).archives.length > 0) {
        expect(await restoreArchivedGoal(next, room.restore(path))).toMatchObject({
          restored: true,
        });
      }
      expect(contentOf(room)).toBe(before);
      requireSchedulable(runtimeLayout(room.runtimeRoot), "shop");
      const again = await archiveRuntimeGoal(next, room.request({ execute: true, archiveRoot }));
      expect(again.archived).toBe(true);
      expect(digestTree(join(again.archive_path, "sessions"))).toBe(before);
      await restoreArchivedGoal(next, room.restore(again.archive_path));
      expectNoLitter(room, path);
      if (cut?.restored === true) break;
    }
  });

  test.each([4, 9, 30])("a real kill -9 before operation %i", async (from) => {
    const room = createRoom();
    const before = contentOf(room);
    const program = fileURLToPath(new URL("testing/archive-process.ts", import.meta.url));
    const plan = JSON.stringify([{ from, what: { kind: "kill", when: "before" } }]);
    const request = JSON.stringify(room.request({ execute: true, archiveRoot }));
    const { signal, status, stderr } = spawnSync(
      process.execPath,
      ["--conditions=loopwright-source", program, request, plan],
      { encoding: "utf8" },
    );
    if (signal !== "SIGKILL") expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expectOnePlace(room, before, from);
    await archiveRuntimeGoal(seams, room.request({ execute: true, archiveRoot }));
    await restoreArchivedGoal(seams, room.restore("shop"));
    expect(contentOf(room)).toBe(before);
  });
});

/** Digest of what the goal's people and sessions have, where it lies among the goals. */
function contentOf({ runtimeRoot }: Room): string {
  return digestTree(runtimeLayout(runtimeRoot).goal("shop").sessions);
}

/** Here or there, whole; in both only where nothing is started and the next command says how to finish. */
function expectOnePlace(room: Room, content: string, n: number): void {
  const runtime = runtimeLayout(room.runtimeRoot);
  const here = existsSync(runtime.goal("shop").directory);
  const { archives, bad } = listArchives(runtime);
  const where = { n, here, archived: archives.map(({ path }) => path), bad };
  if (here && archives.length === 0) expect(contentOf(room), JSON.stringify(where)).toBe(content);
  if (!here) {
    expect(where).toMatchObject({ archived: [expect.any(String)], bad: [] });
    expect(digestTree(join(archives[0]?.path ?? "", "sessions"))).toBe(content);
  }
  if (here && archives.length > 0) {
    expect(archives).toMatchObject([{ unfinished: true }]);
    expect(() => requireSchedulable(runtime, "shop")).toThrow(
      expect.objectContaining({
        code: "ARCHIVE_UNFINISHED",
        hint: expect.stringContaining("loopwright archive shop --execute"),
      }),
    );
  }
}

function expectArchived({ runtimeRoot }: Room): string {
  const { archives } = listArchives(runtimeLayout(runtimeRoot));
  expect(archives).toHaveLength(1);
  return archives[0]?.path ?? "";
}

function expectNoLitter({ runtimeRoot }: Room, archivePath: string): void {
  const { goals } = runtimeLayout(runtimeRoot);
  const names = [...readdirSync(goals), ...readdirSync(dirname(archivePath))];
  expect(names.filter((name) => name.startsWith("."))).toEqual([]);
}
