import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemDisk } from "./disk.ts";
import { createDurable, makeDirectoryDurable, writeDurable } from "./durable-write.ts";
import { ensureReserve, releaseReserve } from "./reserve.ts";
import { createFaultyDisk } from "./testing/faulty-disk.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

function inDirectory(content?: string): { path: string; names: () => string[] } {
  const directory = temporaryDirectory();
  const path = join(directory, "state.json");
  if (content !== undefined) writeFileSync(path, content);
  return { path, names: () => readdirSync(directory) };
}

describe("a durable write", () => {
  test("syncs the file before the rename and the directory after it", () => {
    const { path, names } = inDirectory("old");
    const disk = createFaultyDisk(systemDisk, []);
    writeDurable(disk, path, "new");
    expect(disk.operations.map(({ name }) => name)).toEqual([
      "createExclusive",
      "rename",
      "syncDirectory",
    ]);
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(names()).toEqual(["state.json"]);
  });

  test("that need not last syncs nothing", () => {
    const { path } = inDirectory();
    const disk = createFaultyDisk(systemDisk, []);
    writeDurable(disk, path, Buffer.from([1, 2]), { durable: false });
    expect(disk.operations.map(({ name }) => name)).toEqual(["createExclusive", "rename"]);
    expect([...readFileSync(path)]).toEqual([1, 2]);
  });

  test("moves a directory in its place aside, whatever is in it", () => {
    const { path, names } = inDirectory();
    for (const k of [1, 2]) {
      mkdirSync(join(path, "full"), { recursive: true });
      writeDurable(systemDisk, path, `${k}`, { durable: k === 1 });
      expect(readFileSync(path, "utf8")).toBe(`${k}`);
      if (k === 1) rmSync(path);
    }
    expect(names().toSorted()).toEqual(["state.json", "state.json.found-1", "state.json.found-2"]);
  });

  test.each([
    ["ENOSPC", "DISK_FULL"],
    ["EIO", "DISK_FAILED"],
    ["EROFS", "DISK_FAILED"],
  ] as const)(
    "that fails at any operation with %s says %s and leaves old or new, whole",
    (code, expected) => {
      for (let n = 1; n <= 3; n += 1) {
        for (const after of [false, true]) {
          const { path, names } = inDirectory("old");
          const disk = createFaultyDisk(systemDisk, [
            { from: n, what: { kind: "fail", code, after } },
          ]);
          expect(() => writeDurable(disk, path, "new")).toThrowError(
            expect.objectContaining({ code: expected, where: path }),
          );
          expect(["old", "new"]).toContain(readFileSync(path, "utf8"));
          expect(names()).toEqual(["state.json"]);
        }
      }
    },
  );

  test("cut short leaves the old content and no temporary file", () => {
    const { path, names } = inDirectory("old");
    const what = { kind: "short_write", bytes: 2 } as const;
    const disk = createFaultyDisk(systemDisk, [{ from: 1, what }]);
    expect(() => writeDurable(disk, path, "newer")).toThrowError("No space left");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(names()).toEqual(["state.json"]);
  });
});

describe("an exclusive creation", () => {
  test("wins once", () => {
    const { path, names } = inDirectory();
    expect(createDurable(systemDisk, path, "first")).toBe(true);
    expect(createDurable(systemDisk, path, "second")).toBe(false);
    expect(readFileSync(path, "utf8")).toBe("first");
    expect(names()).toEqual(["state.json"]);
  });

  test("never leaves half a file under the name", () => {
    for (let n = 1; n <= 4; n += 1) {
      const { path, names } = inDirectory();
      const disk = createFaultyDisk(systemDisk, [{ from: n, what: { kind: "fail", code: "EIO" } }]);
      expect(() => createDurable(disk, path, "first")).toThrowError("EIO");
      const found = names().includes("state.json") ? readFileSync(path, "utf8") : "nothing";
      expect(["first", "nothing"]).toContain(found);
    }
  });
});

describe("making directories", () => {
  test("makes the missing parents, each synced into its own", () => {
    const directory = temporaryDirectory();
    const disk = createFaultyDisk(systemDisk, []);
    makeDirectoryDurable(disk, join(directory, "a", "b"));
    expect(disk.operations.map(({ name, path }) => [name, path])).toEqual([
      ["mkdir", join(directory, "a")],
      ["syncDirectory", directory],
      ["mkdir", join(directory, "a", "b")],
      ["syncDirectory", join(directory, "a")],
    ]);
    makeDirectoryDurable(disk, join(directory, "a", "b"));
    expect(disk.operations).toHaveLength(4);
  });

  test("is not disturbed by somebody who makes the same one", () => {
    const directory = temporaryDirectory();
    const disk = {
      ...systemDisk,
      mkdir: (path: string) => {
        mkdirSync(path);
        systemDisk.mkdir(path);
      },
    };
    makeDirectoryDurable(disk, join(directory, "a", "b"));
    expect(statSync(join(directory, "a", "b")).isDirectory()).toBe(true);
  });

  test("refuses a file in the way", () => {
    const { path } = inDirectory("a file");
    expect(() => makeDirectoryDurable(systemDisk, join(path, "deeper"))).toThrowError(
      expect.objectContaining({ code: "FILE_UNSAFE" }),
    );
  });
});

describe("the reserve", () => {
  test("takes 4 MiB of real blocks and gives them back once", () => {
    const path = join(temporaryDirectory(), "reserve");
    ensureReserve(systemDisk, path);
    expect(statSync(path).size).toBe(4 * 1024 * 1024);
    expect(statSync(path).blocks * 512).toBeGreaterThanOrEqual(4 * 1024 * 1024);
    const { ino } = statSync(path);
    ensureReserve(systemDisk, path);
    expect(statSync(path).ino).toBe(ino);
    expect(releaseReserve(systemDisk, path)).toBe(true);
    expect(releaseReserve(systemDisk, path)).toBe(false);
  });

  test("says so when there is no room for it, and leaves nothing behind", () => {
    const directory = temporaryDirectory();
    const what = { kind: "fail", code: "ENOSPC" } as const;
    const disk = createFaultyDisk(systemDisk, [{ from: 1, to: 2, what }]);
    expect(() => ensureReserve(disk, join(directory, "reserve"))).toThrowError(
      expect.objectContaining({ code: "DISK_FULL" }),
    );
    expect(readdirSync(directory)).toEqual([]);
  });
});
