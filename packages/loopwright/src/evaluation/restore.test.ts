import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Pins, Replaced } from "@loopwright/protocol";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CHECKS, createGateRoom, type GateRoom } from "./testing/gate-room.ts";
import { restoreProtected } from "./restore.ts";

let room: GateRoom;
let pins: Pins;
beforeEach(() => {
  room = createGateRoom(["tests/**", "run.sh"]);
  room.scratch.write("tests/a.test.js", "assert(true)\n");
  room.scratch.write("tests/deep/b.test.js", "assert(1)\n");
  room.scratch.write("run.sh", "#!/bin/sh\nexit 1\n");
  chmodSync(at("run.sh"), 0o755);
  room.check("unit", "id: unit\ntype: command\nrun: [./run.sh]\n");
  room.scratch.commit();
  pins = room.pin();
});
afterEach(() => room.close());

const at = (path: string): string => room.scratch.at(path);
const asideDirectory = (): string => join(room.scratch.room, "replaced");
const aside = (path: string): string => join(room.scratch.room, path);
const restore = (): Replaced[] =>
  restoreProtected({
    checkout: room.scratch.root,
    pins,
    protect: room.protect,
    checksDirectory: CHECKS,
    store: room.store,
    asideDirectory: asideDirectory(),
  });

const expectRestored = (): void => {
  expect(room.read("tests/a.test.js")).toBe("assert(true)\n");
  expect(room.read("tests/deep/b.test.js")).toBe("assert(1)\n");
  expect(room.read("run.sh")).toBe("#!/bin/sh\nexit 1\n");
  expect(statSync(at("run.sh")).mode & 0o777).toBe(0o755);
  expect(filesBelow(at("tests"))).toEqual(["a.test.js", "b.test.js"]);
  expect(readdirSync(at(CHECKS))).toEqual(["unit.yaml"]);
  expect(restore()).toEqual([]);
};

describe("restoreProtected", () => {
  it("changes nothing when nothing was touched", () => {
    expect(pins.files.map(({ path, mode }) => `${mode} ${path}`)).toEqual([
      `100644 ${CHECKS}/unit.yaml`,
      "100755 run.sh",
      "100644 tests/a.test.js",
      "100644 tests/deep/b.test.js",
    ]);
    const { ino } = lstatSync(at("tests/a.test.js"));
    expect(restore()).toEqual([]);
    expect(lstatSync(at("tests/a.test.js")).ino).toBe(ino);
    expect(existsSync(asideDirectory())).toBe(false);
  });

  it("puts back what was edited, deleted, added or given other rights, and keeps what it found", () => {
    room.scratch.write("tests/a.test.js", "// nothing\n");
    room.scratch.write("tests/conftest.js", "process.exit(0)\n");
    room.scratch.write(`${CHECKS}/easy.yaml`, "id: easy\ntype: command\nrun: true\n");
    rmSync(at("tests/deep"), { recursive: true });
    chmodSync(at("run.sh"), 0o644);
    expect(restore()).toEqual([
      { path: `${CHECKS}/easy.yaml`, found: "added", aside: `replaced/${CHECKS}/easy.yaml` },
      { path: "run.sh", found: "mode", aside: null },
      { path: "tests/a.test.js", found: "changed", aside: "replaced/tests/a.test.js" },
      { path: "tests/conftest.js", found: "added", aside: "replaced/tests/conftest.js" },
      { path: "tests/deep/b.test.js", found: "deleted", aside: null },
    ]);
    expect(readFileSync(aside("replaced/tests/a.test.js"), "utf8")).toBe("// nothing\n");
    expectRestored();
  });

  it("moves links, FIFOs and directories in the place of files aside without following or opening them", () => {
    const outside = join(room.scratch.room, "outside");
    writeFileSync(outside, "precious\n");
    rmSync(at("tests/a.test.js"));
    symlinkSync(outside, at("tests/a.test.js"));
    rmSync(at("tests/deep/b.test.js"));
    execFileSync("mkfifo", [at("tests/deep/b.test.js")]);
    rmSync(at("run.sh"));
    room.scratch.write("run.sh/inner", "x\n");
    expect(restore().map(({ path, found }) => [path, found])).toEqual([
      ["run.sh", "not_a_file"],
      ["tests/a.test.js", "not_a_file"],
      ["tests/deep/b.test.js", "not_a_file"],
    ]);
    expect(readFileSync(outside, "utf8")).toBe("precious\n");
    expect(readlinkSync(aside("replaced/tests/a.test.js"))).toBe(outside);
    expect(readFileSync(aside("replaced/run.sh/inner"), "utf8")).toBe("x\n");
    expectRestored();
  });

  it("never writes through a directory that was replaced by a link", () => {
    const outside = join(room.scratch.room, "outside");
    mkdirSync(join(outside, "deep"), { recursive: true });
    writeFileSync(join(outside, "a.test.js"), "precious\n");
    rmSync(at("tests"), { recursive: true });
    symlinkSync(outside, at("tests"));
    expect(restore()).toMatchObject([
      { path: "tests", found: "not_a_directory", aside: "replaced/tests" },
      { path: "tests/a.test.js", found: "deleted" },
      { path: "tests/deep/b.test.js", found: "deleted" },
    ]);
    expect(readdirSync(outside).sort()).toEqual(["a.test.js", "deep"]);
    expect(readFileSync(join(outside, "a.test.js"), "utf8")).toBe("precious\n");
    expectRestored();
  });

  it("moves an added link aside through which files would appear under a protected name", () => {
    const outside = join(room.scratch.room, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "x.test.js"), "");
    room.protect.splice(0, room.protect.length, "tests/**/*.test.js", "run.sh");
    pins = room.pin();
    symlinkSync(outside, at("tests/more"));
    symlinkSync(join(room.scratch.room, "nowhere"), at("tests/harmless"));
    expect(restore()).toEqual([
      { path: "tests/more", found: "added", aside: "replaced/tests/more" },
    ]);
    expect(lstatSync(at("tests/harmless")).isSymbolicLink()).toBe(true);
  });

  it("keeps protected links as they were, and puts them back", () => {
    symlinkSync("a.test.js", at("tests/link.test.js"));
    pins = room.pin();
    expect(pins.links).toEqual([{ path: "tests/link.test.js", target: "a.test.js" }]);
    expect(restore()).toEqual([]);
    rmSync(at("tests/link.test.js"));
    symlinkSync("/etc/passwd", at("tests/link.test.js"));
    expect(restore()).toMatchObject([{ path: "tests/link.test.js", found: "changed" }]);
    expect(readlinkSync(at("tests/link.test.js"))).toBe("a.test.js");
  });

  it("writes through no hard link", () => {
    const outside = join(room.scratch.room, "outside");
    writeFileSync(outside, "precious\n");
    rmSync(at("tests/a.test.js"));
    linkSync(outside, at("tests/a.test.js"));
    expect(restore()).toMatchObject([{ path: "tests/a.test.js", found: "changed" }]);
    expect(readFileSync(outside, "utf8")).toBe("precious\n");
    expectRestored();
  });

  it("finds added files with strange names, ignored ones, and ones in closed directories", () => {
    room.scratch.write(".gitignore", "*.ignored\n");
    room.scratch.write("tests/x.ignored", "x\n");
    writeFileSync(Buffer.concat([Buffer.from(`${at("tests")}/raw`), Buffer.from([0xff])]), "x\n");
    room.scratch.write("tests/deep/b.test.js", "edited\n");
    chmodSync(at("tests/deep"), 0o500);
    chmodSync(at("tests/a.test.js"), 0o000);
    expect(restore().map(({ path, found }) => [path, found])).toEqual([
      ["tests/a.test.js", "mode"],
      ["tests/deep/b.test.js", "changed"],
      ["tests/raw\uFFFD", "added"],
      ["tests/x.ignored", "added"],
    ]);
    expectRestored();
  });

  it.skipIf(!existsSync("/dev/shm"))("moves what it finds to another file system too", () => {
    const far = mkdtempSync("/dev/shm/loopwright-");
    room.scratch.write("tests/a.test.js", "edited\n");
    rmSync(at("tests/deep"), { recursive: true });
    symlinkSync(room.scratch.room, at("tests/deep"));
    rmSync(at("run.sh"));
    room.scratch.write("run.sh/inner", "x\n");
    execFileSync("mkfifo", [at("run.sh/pipe")]);
    restoreProtected({
      checkout: room.scratch.root,
      pins,
      protect: room.protect,
      checksDirectory: CHECKS,
      store: room.store,
      asideDirectory: join(far, "replaced"),
    });
    expect(readFileSync(join(far, "replaced/tests/a.test.js"), "utf8")).toBe("edited\n");
    expect(readlinkSync(join(far, "replaced/tests/deep"))).toBe(room.scratch.room);
    expect(readdirSync(join(far, "replaced/run.sh"))).toEqual(["inner"]);
    rmSync(far, { recursive: true });
    expect(existsSync(room.scratch.room)).toBe(true);
    expectRestored();
  });

  it("keeps everything that it finds when the same happens again", () => {
    for (const text of ["first\n", "second\n", "third\n"]) {
      room.scratch.write("tests/a.test.js", text);
      restore();
    }
    const kept = ["replaced", "replaced/again-1", "replaced/again-2"];
    expect(kept.map((folder) => readFileSync(aside(`${folder}/tests/a.test.js`), "utf8"))).toEqual([
      "first\n",
      "second\n",
      "third\n",
    ]);
  });

  it("refuses a damaged pin and leaves the checkout as it is", () => {
    const sha256 = pins.files.find(({ path }) => path === "tests/a.test.js")?.sha256 ?? "";
    writeFileSync(join(room.scratch.room, "goal", "pins", sha256), "assert(false)\n");
    room.scratch.write("tests/a.test.js", "edited\n");
    expect(restore).toThrowError(expect.objectContaining({ code: "FILE_INVALID" }));
    expect(room.read("tests/a.test.js")).toBe("edited\n");
  });

  it("mends what a stop in the middle left, whatever an agent did before", () => {
    const paths = [
      "tests/a.test.js",
      "tests/deep/b.test.js",
      "run.sh",
      "tests",
      "tests/deep",
      "tests/new",
    ];
    const act = fc.record({
      path: fc.constantFrom(...paths),
      how: fc.constantFrom("edit", "delete", "link", "directory", "fifo", "chmod"),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 6 }), fc.nat(4), (acts, stopAfter) => {
        for (const { path, how } of acts) tamper(at(path), how, room.scratch.room);
        stoppedAfter(stopAfter, restore);
        restore();
        expectRestored();
      }),
      { numRuns: 40 },
    );
  });
});

/** Empty directories aren't protected: they hold nothing that could be run. */
function filesBelow(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Lets so many pins be read, then fails as a crash would. */
function stoppedAfter(reads: number, run: () => void): void {
  const { store } = room;
  const get = store.get;
  let left = reads;
  const failing: Pick<typeof store, "get"> = {
    get: (sha256) => {
      left -= 1;
      if (left < 0) throw new Error("stopped");
      return get(sha256);
    },
  };
  Object.assign(store, failing);
  try {
    run();
  } catch (error) {
    expect(error).toMatchObject({ message: "stopped" });
  } finally {
    Object.assign(store, { get });
  }
}

function tamper(place: string, how: string, outside: string): void {
  try {
    if (how === "chmod") return chmodSync(place, 0o000);
    rmSync(place, { recursive: true, force: true });
    if (how === "edit") writeFileSync(place, "edited\n");
    if (how === "link") symlinkSync(outside, place);
    if (how === "directory") mkdirSync(place);
    if (how === "fifo") execFileSync("mkfifo", [place], { stdio: "ignore" });
  } catch {
    // An earlier act has taken the parent away.
  }
}
