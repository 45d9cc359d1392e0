import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCheckoutReader } from "./checkout-reader.ts";
import { repositoryFacts } from "./repository.ts";
import { createScratchRepository, type ScratchRepository } from "./testing/scratch-repository.ts";

let scratch: ScratchRepository;
beforeEach(() => {
  scratch = createScratchRepository();
  scratch.write("a.txt", "a\n");
  scratch.commit();
});
afterEach(() => scratch.close());

/** Plants everything that could run in a repository, in `.git/config`, hooks and attributes of `directory`. */
function plant(directory: string): void {
  const program = scratch.witnessProgram("planted");
  const set = (name: string, value = program): string =>
    scratch.gitIn(directory, "config", name, value);
  for (const name of ["filter.evil.clean", "filter.evil.smudge", "filter.evil.process"]) set(name);
  set("filter.evil.required", "true");
  for (const name of [
    "diff.evil.textconv",
    "diff.evil.command",
    "diff.external",
    "core.fsmonitor",
  ]) {
    set(name);
  }
  for (const name of [
    "core.pager",
    "core.editor",
    "core.sshCommand",
    "core.askPass",
    "gpg.program",
  ]) {
    set(name);
  }
  set("core.hooksPath", scratch.room);
  set("alias.add", `!${program}`);
  writeFileSync(`${directory}/.gitattributes`, "* filter=evil diff=evil text eol=crlf ident\n");
  mkdirSync(`${directory}/.git/hooks`, { recursive: true });
  for (const hook of [
    "post-index-change",
    "pre-commit",
    "post-checkout",
    "reference-transaction",
  ]) {
    writeFileSync(`${directory}/.git/hooks/${hook}`, `#!/bin/sh\nexec '${program}'\n`);
    chmodSync(`${directory}/.git/hooks/${hook}`, 0o755);
  }
}

describe("a checkout that an agent prepared", () => {
  it("runs no filter, hook, monitor, text conversion or diff program when it is read", async () => {
    const reader = openCheckoutReader(scratch.root, { indexPath: scratch.indexPath });
    const before = await reader.snapshot();
    plant(scratch.root);
    scratch.write("a.txt", "changed\r\n");
    scratch.write("new.txt", "$Id$\n");
    if ("gone" in before) throw new Error(before.reason);
    const found = await reader.evidence(before);
    reader.close();
    expect(found).toMatchObject({
      changes: {
        files: [
          { path: ".gitattributes", status: "added" },
          { path: "a.txt", status: "modified", insertions: 1, deletions: 1 },
          { path: "new.txt", status: "added", insertions: 1, deletions: 0 },
        ],
      },
    });
    await repositoryFacts(scratch.root);
    expect(existsSync(scratch.witness)).toBe(false);
    // The trap is a real one: plain git walks into it.
    expect(() => scratch.git("add", "--all")).toThrow();
    expect(existsSync(scratch.witness)).toBe(true);
  });

  it("runs nothing of a repository nested in it either", async () => {
    mkdirSync(scratch.at("nested"));
    scratch.gitIn(scratch.at("nested"), "init", "--quiet");
    scratch.write("nested/file", "1\n");
    scratch.gitIn(scratch.at("nested"), "add", "--all");
    scratch.gitIn(scratch.at("nested"), "commit", "--quiet", "--message", "Nested");
    plant(scratch.at("nested"));
    const reader = openCheckoutReader(scratch.root, { indexPath: scratch.indexPath });
    const before = await reader.snapshot();
    scratch.write("nested/file", "2\n");
    const found = "gone" in before ? before : await reader.evidence(before);
    reader.close();
    expect(found).toMatchObject({ changes: { files: [{ path: "nested/file", insertions: 1 }] } });
    expect(existsSync(scratch.witness)).toBe(false);
  });

  it("can't hide a change in line ends, or behind a clean filter", async () => {
    const reader = openCheckoutReader(scratch.root, { indexPath: scratch.indexPath });
    scratch.write(".gitattributes", "* text eol=lf\n");
    const lf = await reader.snapshot();
    scratch.write("a.txt", "a\r\n");
    const crlf = await reader.snapshot();
    reader.close();
    expect("gone" in lf || "gone" in crlf || lf.tree === crlf.tree).toBe(false);
  });
});
