import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCheckoutReader, treeDigest } from "./checkout-reader.ts";
import { createScratchRepository, type ScratchRepository } from "./testing/scratch-repository.ts";

let scratch: ScratchRepository;
beforeEach(() => {
  scratch = createScratchRepository();
  scratch.write("kept.txt", "kept\n");
  scratch.commit();
});
afterEach(() => scratch.close());

const digest = async (): Promise<string> => {
  const found = await treeDigest(scratch.root, scratch);
  if (typeof found !== "string") throw new Error(found.reason);
  return found;
};

describe("the private index", () => {
  it("neither touches nor waits for the user's index, and stores nothing in the repository", async () => {
    scratch.write("new", "new\n");
    writeFileSync(scratch.at(".git/index.lock"), "left behind");
    const before = readFileSync(scratch.at(".git/index"));
    const objects = listing(scratch.at(".git"));
    await digest();
    expect(readFileSync(scratch.at(".git/index")).equals(before)).toBe(true);
    expect(listing(scratch.at(".git"))).toEqual(objects);
    expect(readFileSync(scratch.at(".git/index.lock"), "utf8")).toBe("left behind");
  });

  it("throws a damaged index of its own away", async () => {
    const before = await digest();
    for (const damage of ["", "DIRC", "garbage that is longer than a header of an index file"]) {
      writeFileSync(join(scratch.indexPath, "index"), damage);
      expect(await digest()).toBe(before);
    }
    writeFileSync(join(scratch.indexPath, "state.json"), "{");
    writeFileSync(join(scratch.indexPath, "index.lock"), "");
    expect(await digest()).toBe(before);
  });

  it("gives many callers at once the same answer", async () => {
    scratch.write("new", "new\n");
    const all = await Promise.all(Array.from({ length: 6 }, () => digest()));
    expect(new Set(all)).toEqual(new Set([await digest()]));
  });

  it("leaves only its cache behind", async () => {
    const reader = openCheckoutReader(scratch.root, { indexPath: scratch.indexPath });
    await reader.snapshot();
    reader.prepare();
    reader.close();
    expect(readdirSync(scratch.indexPath).filter((name) => name.startsWith("index."))).toEqual([]);
    expect(existsSync(join(scratch.indexPath, "index"))).toBe(true);
  });
});

function listing(directory: string): string[] {
  return readdirSync(directory, { recursive: true }).map(String).sort();
}
