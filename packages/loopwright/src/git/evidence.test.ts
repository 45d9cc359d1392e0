import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Changes, FILE_LIMIT } from "./changes.ts";
import { evidence, openCheckoutReader, type Snapshot, takeSnapshot } from "./checkout-reader.ts";
import { createScratchRepository, type ScratchRepository } from "./testing/scratch-repository.ts";

let scratch: ScratchRepository;
let before: Snapshot;
beforeEach(async () => {
  scratch = createScratchRepository();
  scratch.write("a.txt", "1\n2\n3\n");
  scratch.write("b.txt", "b\n");
  scratch.commit();
  const found = await takeSnapshot(scratch.root, scratch);
  if ("gone" in found) throw new Error(found.reason);
  before = found;
});
afterEach(() => scratch.close());

const changes = async (): Promise<Changes> => {
  const found = await evidence(scratch.root, before, scratch);
  if ("gone" in found) throw new Error(found.reason);
  return found;
};

describe("evidence", () => {
  it("is empty when nothing happened", async () => {
    expect(await changes()).toEqual({
      head_before: before.head,
      head_after: before.head,
      branch_before: "trunk",
      branch_after: "trunk",
      tree_digest_before: before.tree,
      tree_digest: before.tree,
      files: [],
      files_changed: 0,
      insertions: 0,
      deletions: 0,
    });
  });

  it("lists what changed with its lines, committed or not", async () => {
    scratch.write("a.txt", "1\ntwo\n3\n4\n");
    scratch.git("checkout", "--quiet", "-b", "side");
    const head = scratch.commit();
    rmSync(scratch.at("b.txt"));
    scratch.write("new/c.txt", "c\n");
    expect(await changes()).toMatchObject({
      head_after: head,
      branch_after: "side",
      files: [
        { path: "a.txt", status: "modified", insertions: 2, deletions: 1 },
        { path: "b.txt", status: "deleted", insertions: 0, deletions: 1 },
        { path: "new/c.txt", status: "added", insertions: 1, deletions: 0 },
      ],
      files_changed: 3,
      insertions: 3,
      deletions: 2,
    });
  });

  it("tells mode changes, links in place of files, binary content and strange names", async () => {
    chmodSync(scratch.at("a.txt"), 0o755);
    rmSync(scratch.at("b.txt"));
    symlinkSync("a.txt", scratch.at("b.txt"));
    writeFileSync(scratch.at("binary"), Buffer.from([0, 1, 2, 0]));
    scratch.write('q"u\no\tte', "x\n");
    writeFileSync(Buffer.concat([Buffer.from(`${scratch.root}/z`), Buffer.from([0xff])]), "z\n");
    expect((await changes()).files).toEqual([
      { path: "a.txt", status: "modified", insertions: 0, deletions: 0 },
      { path: "b.txt", status: "type_changed", insertions: 1, deletions: 1 },
      { path: "binary", status: "added", insertions: null, deletions: null },
      { path: 'q"u\no\tte', status: "added", insertions: 1, deletions: 0 },
      { path: "z\uFFFD", status: "added", insertions: 1, deletions: 0 },
    ]);
  });

  it("caps the list but not the counts", async () => {
    for (let number = 0; number < FILE_LIMIT + 20; number += 1)
      scratch.write(`many/${number}`, "x\n");
    const found = await changes();
    expect(found.files).toHaveLength(FILE_LIMIT);
    expect(found).toMatchObject({ files_changed: FILE_LIMIT + 20, insertions: FILE_LIMIT + 20 });
  });

  it("still names the files when their old content was pruned from the repository", async () => {
    scratch.write("a.txt", "other\n");
    scratch.git("add", "--all");
    scratch.git("commit", "--quiet", "--amend", "--message", "Rewritten");
    scratch.git("reflog", "expire", "--expire=now", "--all");
    scratch.git("gc", "--quiet", "--prune=now");
    expect(await changes()).toMatchObject({
      files: [{ path: "a.txt", status: "modified", insertions: null, deletions: null }],
      files_changed: 1,
    });
  });

  it("works while commits happen", async () => {
    const script = `for i in $(seq 1 12); do echo $i > loop.txt; git add -A; git -c user.name=t -c user.email=t@t commit -qm $i; done`;
    const child = spawn("sh", ["-c", script], { cwd: scratch.root, stdio: "ignore" });
    const over = once(child, "exit");
    const reader = openCheckoutReader(scratch.root, scratch);
    while (child.exitCode === null)
      expect(await reader.evidence(before)).not.toHaveProperty("gone");
    await over;
    const found = await reader.evidence(before);
    reader.close();
    expect(found).toMatchObject({ changes: { files: [{ path: "loop.txt", insertions: 1 }] } });
  });

  it("works from a linked work tree, inside the main one or beside it", async () => {
    const inside = scratch.at("trees/inside");
    scratch.git("worktree", "add", "--quiet", "-b", "side", inside);
    const indexPath = join(scratch.room, "second");
    const first = await takeSnapshot(inside, { indexPath });
    if ("gone" in first) throw new Error(first.reason);
    writeFileSync(join(inside, "a.txt"), "side\n");
    expect(await evidence(inside, first, { indexPath })).toMatchObject({
      branch_after: "side",
      files: [{ path: "a.txt" }],
    });
  });

  it("says that the checkout is gone instead of listing everything as deleted", async () => {
    const reader = openCheckoutReader(scratch.root, scratch);
    await reader.snapshot();
    reader.prepare();
    execFileSync("rm", ["-rf", scratch.root]);
    expect(await reader.evidence(before)).toMatchObject({ gone: true });
    reader.close();
  });
});
