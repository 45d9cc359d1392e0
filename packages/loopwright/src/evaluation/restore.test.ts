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
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Replaced } from "@loopwright/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ScratchRepository } from "../git/testing/scratch-repository.ts";
import { CHECKS } from "./testing/gate-room.ts";
import { createProtectedRoom, type ProtectedRoom } from "./testing/protected-room.ts";

let room: ProtectedRoom;
let scratch: ScratchRepository;
beforeEach(() => {
  room = createProtectedRoom();
  scratch = room.gate.scratch;
});
afterEach(() => room.gate.close());

const at = (path: string): string => room.at(path);
const aside = (path: string): string => room.aside(path);
const restore = (): Replaced[] => room.restore();
const expectRestored = (): void => room.expectRestored();

describe("restoreProtected", () => {
  it("changes nothing when nothing was touched", () => {
    expect(room.pins.files.map(({ path, mode }) => `${mode} ${path}`)).toEqual([
      `100644 ${CHECKS}/unit.yaml`,
      "100755 run.sh",
      "100644 tests/a.test.js",
      "100644 tests/deep/b.test.js",
    ]);
    const { ino } = lstatSync(at("tests/a.test.js"));
    expect(restore()).toEqual([]);
    expect(lstatSync(at("tests/a.test.js")).ino).toBe(ino);
    expect(existsSync(aside("replaced"))).toBe(false);
  });

  it("puts back what was edited, deleted, added or given other rights, and keeps what it found", () => {
    scratch.write("tests/a.test.js", "// nothing\n");
    scratch.write("tests/conftest.js", "process.exit(0)\n");
    scratch.write(`${CHECKS}/easy.yaml`, "id: easy\ntype: command\nrun: true\n");
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
    const outside = join(scratch.room, "outside");
    writeFileSync(outside, "precious\n");
    rmSync(at("tests/a.test.js"));
    symlinkSync(outside, at("tests/a.test.js"));
    rmSync(at("tests/deep/b.test.js"));
    execFileSync("mkfifo", [at("tests/deep/b.test.js")]);
    rmSync(at("run.sh"));
    scratch.write("run.sh/inner", "x\n");
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
    const outside = join(scratch.room, "outside");
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
    const outside = join(scratch.room, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "x.test.js"), "");
    room.gate.protect.splice(0, room.gate.protect.length, "tests/**/*.test.js", "run.sh");
    room.pinAgain();
    symlinkSync(outside, at("tests/more"));
    symlinkSync(join(scratch.room, "nowhere"), at("tests/harmless"));
    expect(restore()).toEqual([
      { path: "tests/more", found: "added", aside: "replaced/tests/more" },
    ]);
    expect(lstatSync(at("tests/harmless")).isSymbolicLink()).toBe(true);
  });

  it("keeps protected links as they were, and puts them back", () => {
    symlinkSync("a.test.js", at("tests/link.test.js"));
    room.pinAgain();
    expect(room.pins.links).toEqual([{ path: "tests/link.test.js", target: "a.test.js" }]);
    expect(restore()).toEqual([]);
    rmSync(at("tests/link.test.js"));
    symlinkSync("/etc/passwd", at("tests/link.test.js"));
    expect(restore()).toMatchObject([{ path: "tests/link.test.js", found: "changed" }]);
    expect(readlinkSync(at("tests/link.test.js"))).toBe("a.test.js");
  });

  it("writes through no hard link", () => {
    const outside = join(scratch.room, "outside");
    writeFileSync(outside, "precious\n");
    rmSync(at("tests/a.test.js"));
    linkSync(outside, at("tests/a.test.js"));
    expect(restore()).toMatchObject([{ path: "tests/a.test.js", found: "changed" }]);
    expect(readFileSync(outside, "utf8")).toBe("precious\n");
    expectRestored();
  });

  it("finds added files with strange names, ignored ones, and ones in closed directories", () => {
    scratch.write(".gitignore", "*.ignored\n");
    scratch.write("tests/x.ignored", "x\n");
    writeFileSync(Buffer.concat([Buffer.from(`${at("tests")}/raw`), Buffer.from([0xff])]), "x\n");
    scratch.write("tests/deep/b.test.js", "edited\n");
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
    scratch.write("tests/a.test.js", "edited\n");
    rmSync(at("tests/deep"), { recursive: true });
    symlinkSync(scratch.room, at("tests/deep"));
    rmSync(at("run.sh"));
    scratch.write("run.sh/inner", "x\n");
    execFileSync("mkfifo", [at("run.sh/pipe")]);
    room.restore({ asideDirectory: join(far, "replaced") });
    expect(readFileSync(join(far, "replaced/tests/a.test.js"), "utf8")).toBe("edited\n");
    expect(readlinkSync(join(far, "replaced/tests/deep"))).toBe(scratch.room);
    expect(readdirSync(join(far, "replaced/run.sh"))).toEqual(["inner"]);
    rmSync(far, { recursive: true });
    expect(existsSync(scratch.room)).toBe(true);
    expectRestored();
  });

  it("moves an added directory aside that was closed to hide what is in it", () => {
    scratch.write("tests/closed/x.test.js", "x\n");
    chmodSync(at("tests/closed"), 0o000);
    expect(restore()).toEqual([
      { path: "tests/closed", found: "added", aside: "replaced/tests/closed" },
    ]);
    expect(readdirSync(aside("replaced/tests/closed"))).toEqual(["x.test.js"]);
    expectRestored();
  });

  it("keeps everything that it finds when the same happens again", () => {
    for (const text of ["first\n", "second\n", "third\n"]) {
      scratch.write("tests/a.test.js", text);
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
    const sha256 = room.pins.files.find(({ path }) => path === "tests/a.test.js")?.sha256 ?? "";
    writeFileSync(join(scratch.room, "goal", "pins", sha256), "assert(false)\n");
    scratch.write("tests/a.test.js", "edited\n");
    expect(restore).toThrowError(expect.objectContaining({ code: "FILE_INVALID" }));
    expect(room.gate.read("tests/a.test.js")).toBe("edited\n");
  });
});
