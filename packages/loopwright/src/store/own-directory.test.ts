import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemDisk } from "./disk.ts";
import { clearPlace, makeOwnDirectory } from "./own-directory.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

/** What an agent can put in place of a directory. */
const PLANTS: Record<string, (path: string, elsewhere: string) => void> = {
  "a link to elsewhere": (path, elsewhere) => symlinkSync(elsewhere, path),
  "a link to nothing": (path) => symlinkSync("/nonexistent", path),
  "a file": (path) => writeFileSync(path, ""),
  "a FIFO": (path) => void execFileSync("mkfifo", [path]),
};

describe.each(Object.entries(PLANTS))("with %s in the way", (_, plant) => {
  test.each(["a", "a/b", "a/b/c"])("at %s the directory is made where it belongs", (at) => {
    const root = temporaryDirectory();
    const elsewhere = temporaryDirectory();
    mkdirSync(join(root, at, ".."), { recursive: true });
    plant(join(root, at), elsewhere);
    makeOwnDirectory(systemDisk, root, join(root, "a/b/c"));
    for (const path of ["a", "a/b", "a/b/c"])
      expect(lstatSync(join(root, path)).isDirectory()).toBe(true);
    expect(readdirSync(join(root, at, ".."))).toContain(`${at.split("/").at(-1)}.found-1`);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test.each(["a", "a/b"])("at %s the place is free afterwards", (at) => {
    const root = temporaryDirectory();
    mkdirSync(join(root, at, ".."), { recursive: true });
    plant(join(root, at), temporaryDirectory());
    clearPlace(systemDisk, root, join(root, "a/b"));
    expect(lstatSync(join(root, "a/b"), { throwIfNoEntry: false })).toBeUndefined();
  });
});

test("a directory that is there already stays as it is, and gives way to a new one with all that is in it", () => {
  const root = temporaryDirectory();
  mkdirSync(join(root, "a/b/c"), { recursive: true });
  makeOwnDirectory(systemDisk, root, join(root, "a/b"));
  expect(readdirSync(join(root, "a/b"))).toEqual(["c"]);
  for (const k of [1, 2]) {
    clearPlace(systemDisk, root, join(root, "a/b"));
    expect(readdirSync(join(root, "a"))).toHaveLength(k);
    mkdirSync(join(root, "a/b"));
  }
  expect(readdirSync(join(root, "a/b.found-1"))).toEqual(["c"]);
});
