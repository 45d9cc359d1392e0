import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { takeSnapshot } from "./checkout-reader.ts";
import { fileDiff } from "./file-diff.ts";
import { readHead } from "./head.ts";
import { repositoryFacts } from "./repository.ts";
import { createScratchRepository, type ScratchRepository } from "./testing/scratch-repository.ts";

/** All that a path can hold and that git's text formats separate or quote by. */
const AWKWARD = 'sp ace\nnl "ü": back\\slash\n';

let scratch: ScratchRepository;
afterEach(() => scratch.close());

function moved(): string {
  scratch = createScratchRepository();
  scratch.write("a.txt", "1\n");
  scratch.commit();
  const root = join(scratch.room, AWKWARD);
  renameSync(scratch.root, root);
  return root;
}

it("finds a repository whose path holds newlines, from a directory inside", async () => {
  const root = moved();
  mkdirSync(join(root, "in\nside"));
  expect(await repositoryFacts(join(root, "in\nside"))).toMatchObject({ root, branch: "trunk" });
});

it("finds the git directory of a linked work tree whose path holds newlines", async () => {
  const root = moved();
  const tree = join(scratch.room, "tr\nee");
  scratch.gitIn(root, "worktree", "add", "--quiet", "-b", "side", tree);
  const commonDirectory = join(root, ".git");
  expect(await readHead(tree)).toMatchObject({ branch: "side", commonDirectory });
});

it("reads and compares trees there, also where an object lies in the repository alone", async () => {
  const root = moved();
  const place = { indexPath: scratch.indexPath };
  const before = await takeSnapshot(root, place);
  scratch.gitIn(root, "mv", "a.txt", "b\n.txt");
  const after = await takeSnapshot(root, place);
  if ("gone" in before || "gone" in after) throw new Error("gone");
  const trees = { before: before.tree, after: after.tree };
  const diff = await fileDiff(scratch.indexPath, root, trees, "b\n.txt");
  expect(diff).toMatchObject({ available: true, text: expect.stringContaining("+1") });
});
