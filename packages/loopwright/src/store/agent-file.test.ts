import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listAgentDirectory, readAgentFile } from "./agent-file.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const newPath = (): string => join(temporaryDirectory(), "report.json");

describe("what an agent wrote", () => {
  test("is read when it is a plain file", () => {
    const path = newPath();
    writeFileSync(path, "\ufeffgrün");
    expect(readAgentFile(path)).toEqual({ kind: "text", text: "grün", bytes: 8 });
    writeFileSync(path, "");
    expect(readAgentFile(path)).toEqual({ kind: "text", text: "", bytes: 0 });
  });

  test("is absent when there is nothing", () => {
    expect(readAgentFile(newPath())).toEqual({ kind: "absent" });
    expect(readAgentFile(join(newPath(), "deeper", "still"))).toEqual({ kind: "absent" });
  });

  test("keeps its good characters when bytes are not UTF-8", () => {
    const path = newPath();
    writeFileSync(path, Buffer.from([0x61, 0xff, 0xfe, 0x62, 0xf0, 0x9f]));
    expect(readAgentFile(path)).toMatchObject({ kind: "text", text: "a\ufffd\ufffdb\ufffd" });
  });

  test("is taken up to the limit and refused beyond it, sparse files too", () => {
    const path = newPath();
    writeFileSync(path, "x".repeat(256 * 1024));
    expect(readAgentFile(path).kind).toBe("text");
    appendFileSync(path, "x");
    expect(readAgentFile(path)).toEqual({ kind: "refused", reason: "is larger than 262144 bytes" });
    truncateSync(path, 2 ** 40);
    expect(readAgentFile(path).kind).toBe("refused");
    expect(readAgentFile(path, { maxBytes: 3 })).toMatchObject({
      reason: "is larger than 3 bytes",
    });
  });

  // A file of /proc says that it is empty and yields bytes all the same, like one that grows while it is read.
  test.runIf(process.platform === "linux")(
    "is refused when it grows beyond the limit while read",
    () => {
      expect(readAgentFile("/proc/self/status", { maxBytes: 10 })).toEqual({
        kind: "refused",
        reason: "grew beyond 10 bytes while it was read",
      });
    },
  );
});

describe("without hanging or following it, the reader refuses", () => {
  test("a FIFO", () => {
    const path = newPath();
    execFileSync("mkfifo", [path]);
    expect(readAgentFile(path)).toEqual({ kind: "refused", reason: "is not a regular file" });
  });

  test("a directory, a device, and a socket", async () => {
    const path = newPath();
    const server = createServer().listen(path);
    await new Promise((resolve) => server.once("listening", resolve));
    for (const each of [temporaryDirectory(), "/dev/zero", path]) {
      expect(readAgentFile(each)).toEqual({ kind: "refused", reason: "is not a regular file" });
    }
    await new Promise((resolve) => server.close(resolve));
  });

  test("a symbolic link, a dangling one too", () => {
    const path = newPath();
    writeFileSync(`${path}.secret`, "secret");
    symlinkSync(`${path}.secret`, path);
    expect(readAgentFile(path)).toEqual({ kind: "refused", reason: "is a symbolic link" });
    symlinkSync("nowhere", `${path}.dangling`);
    expect(readAgentFile(`${path}.dangling`).kind).toBe("refused");
  });

  test("a second name of some other file", () => {
    const path = newPath();
    writeFileSync(`${path}.secret`, "secret");
    linkSync(`${path}.secret`, path);
    expect(readAgentFile(path)).toEqual({
      kind: "refused",
      reason: "has more than one name (hard links)",
    });
  });

  test("a way that leads through a link or out of the root", () => {
    const root = temporaryDirectory();
    const elsewhere = temporaryDirectory();
    writeFileSync(join(elsewhere, "report.json"), "{}");
    symlinkSync(elsewhere, join(root, "out"));
    expect(readAgentFile(join(root, "out", "report.json")).kind).toBe("text");
    expect(readAgentFile(join(root, "out", "report.json"), { root })).toEqual({
      kind: "refused",
      reason: "was reached through a symbolic link",
    });
    expect(readAgentFile(join(elsewhere, "report.json"), { root })).toMatchObject({
      reason: "lies outside its directory",
    });
    mkdirSync(join(root, "plain", "deep"), { recursive: true });
    writeFileSync(join(root, "plain", "deep", "report.json"), "{}");
    expect(readAgentFile(join(root, "plain", "deep", "report.json"), { root }).kind).toBe("text");
  });

  test("nothing for the root's own path being a link: the root is ours", () => {
    const root = temporaryDirectory();
    const alias = join(temporaryDirectory(), "alias");
    symlinkSync(root, alias);
    mkdirSync(join(root, "out"));
    writeFileSync(join(root, "out", "a"), "a");
    expect(readAgentFile(join(alias, "out", "a"), { root: alias }).kind).toBe("text");
  });
});

describe("a directory that an agent filled", () => {
  test("is listed by name, up to the limit", () => {
    const directory = temporaryDirectory();
    for (const name of ["c.json", "a.json", "b.json"]) writeFileSync(join(directory, name), "");
    expect(listAgentDirectory(directory, { limit: 2 })).toEqual(["a.json", "b.json"]);
  });

  test("is empty when it is missing, a file, or a link", () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "file"), "");
    symlinkSync("/etc", join(directory, "link"));
    for (const name of ["missing", "file", "link"]) {
      expect(listAgentDirectory(join(directory, name), { limit: 9 })).toEqual([]);
    }
    expect(
      listAgentDirectory(join(directory, "link", "apt"), { limit: 9, root: directory }),
    ).toEqual([]);
    expect(readFileSync(join(directory, "file"), "utf8")).toBe("");
  });
});
