import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { treeDigest } from "./checkout-reader.ts";
import { createScratchRepository, type ScratchRepository } from "./testing/scratch-repository.ts";

let scratch: ScratchRepository;
beforeEach(() => {
  scratch = createScratchRepository();
  scratch.write("source/main.js", "1\n");
  scratch.commit();
});
afterEach(() => scratch.close());

const digest = async (indexPath = scratch.indexPath): Promise<string> => {
  const found = await treeDigest(scratch.root, { indexPath });
  if (typeof found !== "string") throw new Error(found.reason);
  return found;
};

/** As a reader sees it that knows nothing yet. */
const digestAnew = (): Promise<string> => digest(join(scratch.room, `p${Math.random()}`));

describe("a repository inside the checkout", () => {
  it("counts with what it holds: with a commit, without one, and as a submodule", async () => {
    const library = join(scratch.room, "library");
    mkdirSync(library);
    scratch.gitIn(library, "init", "--quiet");
    writeFileSync(join(library, "library.js"), "1\n");
    scratch.gitIn(library, "add", "--all");
    scratch.gitIn(library, "commit", "--quiet", "--message", "Library");
    scratch.git("submodule", "--quiet", "add", library, "module");
    scratch.commit("Add a submodule");
    mkdirSync(scratch.at("empty"));
    scratch.gitIn(scratch.at("empty"), "init", "--quiet");
    scratch.git("clone", "--quiet", library, "clone");
    const seen = [await digest()];
    scratch.write("empty/file", "1\n");
    seen.push(await digest());
    scratch.write("clone/library.js", "2\n");
    seen.push(await digest());
    scratch.write("module/library.js", "2\n");
    seen.push(await digest());
    scratch.write("module/new", "2\n");
    seen.push(await digest());
    expect(new Set(seen).size).toBe(5);
    expect(await digestAnew()).toBe(seen.at(-1));
    // A directory that only claims to be a repository no longer hides anything.
    rmSync(scratch.at("clone/.git"), { recursive: true });
    expect(await digest()).toBe(seen.at(-1));
    scratch.write("clone/more", "3\n");
    expect(await digest()).not.toBe(seen.at(-1));
    expect(await digestAnew()).toBe(await digest());
  });

  it("sees through a commit that calls a plain directory a submodule", async () => {
    const commit = scratch.git("rev-parse", "HEAD");
    scratch.git("rm", "--quiet", "--cached", "-r", "source");
    scratch.git("update-index", "--add", "--cacheinfo", `160000,${commit},source`);
    scratch.git("commit", "--quiet", "--message", "Hide the source");
    const before = await digestAnew();
    scratch.write("source/main.js", "hidden change\n");
    expect(await digestAnew()).not.toBe(before);
  });
});
