import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCheckoutReader, treeDigest } from "./checkout-reader.ts";
import { createScratchRepository, type ScratchRepository } from "./testing/scratch-repository.ts";

let scratch: ScratchRepository;
beforeEach(() => {
  scratch = createScratchRepository();
  scratch.write("kept.txt", "kept\n");
  scratch.write("source/main.js", "1\n");
  scratch.commit();
});
afterEach(() => scratch.close());

const digest = async (): Promise<string> => {
  const found = await treeDigest(scratch.root, { indexPath: scratch.indexPath });
  if (typeof found !== "string") throw new Error(found.reason);
  return found;
};

/** What git itself says, in an index of its own. */
const byGit = (): string => {
  const index = join(scratch.room, `index-${Math.random()}`);
  const run = (...arguments_: string[]): string =>
    execFileSync("git", arguments_, {
      cwd: scratch.root,
      env: { PATH: process.env["PATH"], HOME: scratch.room, GIT_INDEX_FILE: index },
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
    }).trim();
  run("read-tree", "HEAD");
  run("add", "--all");
  return run("write-tree");
};

/** The same read by a reader that knows nothing yet must be the same. */
const digestAnew = async (): Promise<string> => {
  const found = await treeDigest(scratch.root, {
    indexPath: join(scratch.room, `p${Math.random()}`),
  });
  if (typeof found !== "string") throw new Error(found.reason);
  return found;
};

describe("treeDigest", () => {
  it("is what git would write for tracked, changed, new, deleted, linked and executable files", async () => {
    expect(await digest()).toBe(byGit());
    scratch.write("source/main.js", "2\n");
    scratch.write("new/deep/file", "new\n");
    scratch.write("a.b", "a\n");
    scratch.write("a/b", "sorts after a.b\n");
    rmSync(scratch.at("kept.txt"));
    symlinkSync("nowhere", scratch.at("link"));
    chmodSync(scratch.at("a.b"), 0o755);
    expect(await digest()).toBe(byGit());
    expect(await digestAnew()).toBe(byGit());
  });

  it("agrees with git on the order of any names", async () => {
    const name = fc.stringMatching(/^[a-c.\-+0A]{1,4}$/).filter((text) => !/^\.+$/.test(text));
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(path, { maxLength: 60 }), async (paths) => {
        for (const each of paths) writeUnlessTaken(each);
        expect(await digest()).toBe(byGit());
      }),
      { numRuns: 6 },
    );
  });

  it("follows names with newlines, quotes, backslashes and bytes that aren't UTF-8", async () => {
    scratch.write('line\nbreak "quoted" \\ and :(exclude)', "x\n");
    scratch.write("git~1/x", "short names are only names\n");
    writeFileSync(
      Buffer.concat([Buffer.from(`${scratch.root}/raw-`), Buffer.from([0xff, 0xfe])]),
      "y\n",
    );
    const index = await digest();
    rmSync(scratch.at("git~1"), { recursive: true });
    expect(await digest()).toBe(byGit());
    expect(index).not.toBe(byGit());
  });

  it("changes with content although size and time were set back", async () => {
    const before = await digest();
    const { mtime, atime } = statSync(scratch.at("kept.txt"));
    scratch.write("kept.txt", "KEPT\n");
    execFileSync("touch", ["-d", mtime.toISOString(), scratch.at("kept.txt")]);
    expect(atime).toBeDefined();
    expect(await digest()).not.toBe(before);
  });

  it("is not blinded by assume-unchanged, skip-worktree or a late .git/info/exclude", async () => {
    await digest();
    scratch.git("update-index", "--assume-unchanged", "kept.txt");
    scratch.git("update-index", "--skip-worktree", "source/main.js");
    writeFileSync(scratch.at(".git/info/exclude"), "*\n");
    const seen = new Set([await digest()]);
    scratch.write("kept.txt", "changed\n");
    seen.add(await digest());
    scratch.write("source/main.js", "changed\n");
    seen.add(await digest());
    scratch.write("hidden", "new\n");
    seen.add(await digest());
    expect(seen.size).toBe(4);
  });

  it("leaves ignored files out, but counts those that are tracked although they are ignored", async () => {
    scratch.write(".gitignore", "dist/\n");
    scratch.write("dist/tracked", "1\n");
    scratch.write("dist/ignored", "1\n");
    const before = await digest();
    scratch.git("add", "--force", "dist/tracked");
    scratch.git("commit", "--quiet", "--message", "Track it");
    const tracked = await digest();
    expect(tracked).not.toBe(before);
    expect(tracked).toBe(await digestAnew());
    scratch.write("dist/tracked", "2\n");
    expect(await digest()).not.toBe(tracked);
    expect(await digest()).toBe(await digestAnew());
    scratch.git("rm", "--quiet", "--cached", "--force", "dist/tracked");
    scratch.git("commit", "--quiet", "--message", "Ignore it again");
    expect(await digest()).toBe(await digestAnew());
  });

  it("tells the same tree by the same digest whatever was committed", async () => {
    scratch.write("new", "new\n");
    const before = await digest();
    scratch.commit();
    expect(await digest()).toBe(before);
    scratch.git("checkout", "--quiet", "--detach");
    expect(await digest()).toBe(before);
  });

  it("follows directories that become files, and links, and back", async () => {
    await digest();
    rmSync(scratch.at("source"), { recursive: true });
    scratch.write("source", "a file now\n");
    expect(await digest()).toBe(byGit());
    rmSync(scratch.at("source"));
    mkdirSync(join(scratch.room, "elsewhere"));
    writeFileSync(join(scratch.room, "elsewhere", "main.js"), "1\n");
    symlinkSync(join(scratch.room, "elsewhere"), scratch.at("source"));
    expect(await digest()).toBe(byGit());
    rmSync(scratch.at("source"));
    scratch.write("source/main.js", "3\n");
    expect(await digest()).toBe(byGit());
  });

  it("works in an empty repository, and in one without any file", async () => {
    const empty = createScratchRepository();
    const options = { indexPath: empty.indexPath };
    expect(await treeDigest(empty.root, options)).toBe("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    empty.write("first", "1\n");
    expect(await treeDigest(empty.root, options)).not.toBe(
      "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    );
    empty.close();
  });

  it("works in a repository with SHA-256 objects", async () => {
    const long = createScratchRepository(["--object-format=sha256"]);
    long.write("file", "1\n");
    long.commit();
    expect(await treeDigest(long.root, { indexPath: long.indexPath })).toBe(
      long.git("rev-parse", "HEAD^{tree}"),
    );
    long.close();
  });

  it("ignores FIFOs and sockets, and counts files that may not be read", async () => {
    const before = await digest();
    execFileSync("mkfifo", [scratch.at("pipe")]);
    expect(await digest()).toBe(before);
    scratch.write("closed", "closed\n");
    chmodSync(scratch.at("closed"), 0o000);
    expect(await digest()).not.toBe(before);
    rmSync(scratch.at("closed"));
    expect(await digest()).toBe(before);
    scratch.write(".GIT/hidden", "a name that git refuses\n");
    expect(await digest()).not.toBe(before);
  });

  it("says that the checkout is gone when it was removed or replaced", async () => {
    const reader = openCheckoutReader(scratch.root, { indexPath: scratch.indexPath });
    await reader.snapshot();
    reader.prepare();
    renameSync(scratch.root, join(scratch.room, "moved"));
    expect(await reader.snapshot()).toMatchObject({ gone: true });
    mkdirSync(scratch.root);
    expect(await reader.snapshot()).toMatchObject({ gone: true });
    rmSync(scratch.root, { recursive: true });
    renameSync(join(scratch.room, "moved"), scratch.root);
    expect(await reader.snapshot()).toMatchObject({ tree: byGit() });
    reader.close();
  });
});

/** A name may be a file already where this one needs a directory, or the other way round. */
function writeUnlessTaken(path: string): void {
  try {
    scratch.write(path, path);
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toMatch(/EEXIST|ENOTDIR|EISDIR/);
  }
}
