import { describe, expect, it } from "vitest";
import { createProtection, globProblem } from "./protected-globs.ts";

describe("createProtection", () => {
  it("matches names, whole directories, hidden files, and takes exclusions out", () => {
    const { matches } = createProtection([
      "tests/acceptance/**",
      "./package.json",
      "spec/",
      "!spec/tmp/**",
      "**/conftest.py",
    ]);
    for (const path of [
      "tests/acceptance/a.test.js",
      "tests/acceptance/.hidden/x",
      "package.json",
      "spec/a/b",
      "conftest.py",
      "deep/down/conftest.py",
    ]) {
      expect(matches(path), path).toBe(true);
    }
    for (const path of [
      "tests/other.js",
      "a/package.json",
      "spec/tmp/x",
      "specs/a",
      "conftest.pyc",
    ]) {
      expect(matches(path), path).toBe(false);
    }
  });

  it("needs no walk through directories where nothing can match", () => {
    const { mayHold } = createProtection(["tests/acceptance/**", "package.json", "config/*.json"]);
    expect(
      ["", "tests", "tests/acceptance", "tests/acceptance/deep", "config"].filter(mayHold),
    ).toHaveLength(5);
    expect(["node_modules", "tests/unit", "source", "config/deep/er"].filter(mayHold)).toEqual([]);
    expect(createProtection([]).mayHold("")).toBe(false);
  });

  it("says why a glob can't be protected", () => {
    expect(globProblem("/etc/**")).toContain("relative");
    expect(globProblem("../other/**")).toContain("inside");
    expect(globProblem("./")).toContain("nothing");
    expect(globProblem("!tests/tmp/**")).toBeUndefined();
  });
});
