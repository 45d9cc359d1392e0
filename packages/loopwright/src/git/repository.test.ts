import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readHead } from "./head.ts";
import { repositoryFacts } from "./repository.ts";
import { createScratchRepository, type ScratchRepository } from "./testing/scratch-repository.ts";

let scratch: ScratchRepository;
afterEach(() => scratch.close());

describe("repositoryFacts", () => {
  it("finds the root, HEAD and branch from a directory inside, with no remote", async () => {
    scratch = createScratchRepository();
    scratch.write("a/b.txt", "b\n");
    const head = scratch.commit();
    expect(await repositoryFacts(scratch.at("a"))).toEqual({
      root: scratch.root,
      gitDirectory: scratch.at(".git"),
      commonDirectory: scratch.at(".git"),
      head,
      branch: "trunk",
    });
  });

  it("finds the same root through a linked parent directory", async () => {
    scratch = createScratchRepository();
    scratch.commit();
    symlinkSync(scratch.root, join(scratch.room, "link"));
    expect(await repositoryFacts(join(scratch.room, "link"))).toMatchObject({ root: scratch.root });
  });

  it("tells the linked work tree from the repository it belongs to", async () => {
    scratch = createScratchRepository();
    const head = scratch.commit();
    const tree = join(scratch.room, "tree");
    scratch.git("worktree", "add", "--quiet", "-b", "side", tree);
    expect(await repositoryFacts(tree)).toEqual({
      root: tree,
      gitDirectory: scratch.at(".git/worktrees/tree"),
      commonDirectory: scratch.at(".git"),
      head,
      branch: "side",
    });
  });

  it("names no branch when HEAD is detached", async () => {
    scratch = createScratchRepository();
    const head = scratch.commit();
    scratch.git("checkout", "--quiet", "--detach");
    expect(await repositoryFacts(scratch.root)).toMatchObject({ head, branch: null });
  });

  it("reads packed references", async () => {
    scratch = createScratchRepository();
    const head = scratch.commit();
    scratch.git("pack-refs", "--all");
    expect(await repositoryFacts(scratch.root)).toMatchObject({ head, branch: "trunk" });
  });

  it("says what is wrong with a directory that can't be worked in", async () => {
    scratch = createScratchRepository();
    expect(await repositoryFacts(scratch.root)).toEqual({ problem: "no_commit" });
    expect(await repositoryFacts(scratch.room)).toEqual({ problem: "not_a_repository" });
    expect(await repositoryFacts(join(scratch.room, "missing"))).toEqual({
      problem: "not_a_repository",
    });
    mkdirSync(join(scratch.room, "bare"));
    scratch.gitIn(join(scratch.room, "bare"), "init", "--quiet", "--bare");
    expect(await repositoryFacts(join(scratch.room, "bare"))).toEqual({ problem: "bare" });
  });
});

describe("readHead", () => {
  it("calls a checkout gone when it or its .git was removed, without looking further up", async () => {
    scratch = createScratchRepository();
    scratch.commit();
    mkdirSync(scratch.at("inner"));
    expect(await readHead(scratch.at("inner"))).toMatchObject({ gone: true });
    rmSync(scratch.at(".git"), { recursive: true });
    expect(await readHead(scratch.root)).toMatchObject({ gone: true });
    rmSync(scratch.root, { recursive: true });
    expect(await readHead(scratch.root)).toMatchObject({ gone: true });
  });

  it("is not held up by a FIFO in the place of HEAD", async () => {
    scratch = createScratchRepository();
    scratch.commit();
    rmSync(scratch.at(".git/HEAD"));
    execFileSync("mkfifo", [scratch.at(".git/HEAD")]);
    expect(await readHead(scratch.root)).toMatchObject({ gone: true });
  });

  it("agrees with git about a branch that points to another reference", async () => {
    scratch = createScratchRepository();
    const head = scratch.commit();
    scratch.git("symbolic-ref", "refs/heads/alias", "refs/heads/trunk");
    writeFileSync(scratch.at(".git/HEAD"), "ref: refs/heads/alias\n");
    expect(await readHead(scratch.root)).toMatchObject({ head, branch: "alias" });
  });
});
