import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { systemDisk } from "../../store/disk.ts";
import {
  createActiveState,
  fillObjective,
  nextActionOf,
  OBJECTIVE_PENDING,
  objectiveOf,
} from "./index.ts";

const directory = mkdtempSync(join(tmpdir(), "loopwright-active-state-"));
afterAll(() => rmSync(directory, { recursive: true }));
const state = { goalId: "a", objective: OBJECTIVE_PENDING, at: "2026-01-01T00:00:00.000Z" };

test("an existing active state belongs to its people", () => {
  const path = join(directory, "kept", "ACTIVE_STATE.md");
  expect(createActiveState(systemDisk, path, state)).toBe(true);
  writeFileSync(path, "mine");
  expect(createActiveState(systemDisk, path, state)).toBe(false);
  expect(fillObjective(systemDisk, path, "Other")).toBe(false);
  expect(readFileSync(path, "utf8")).toBe("mine");
});

test("the objective is filled in once, where none stood, whatever it contains", () => {
  const path = join(directory, "filled", "ACTIVE_STATE.md");
  createActiveState(systemDisk, path, state);
  expect(fillObjective(systemDisk, path, "Cost $& and $1")).toBe(true);
  expect(fillObjective(systemDisk, path, "Another")).toBe(false);
  expect(readFileSync(path, "utf8")).toContain("## Objective\n\nCost $& and $1\n\n## Next Action");
});

test("the objective is title and first paragraph, without comments", () => {
  expect(objectiveOf("<!-- no -->\n# Title\n\nFirst\nparagraph.\n\nSecond.")).toBe(
    "Title\n\nFirst\nparagraph.",
  );
  expect(objectiveOf("x".repeat(1000))).toHaveLength(600);
});

test.each([
  ["## Next Action\n\n- Fix it\n  and test it\n- Later\n\n## Todo\n", "Fix it and test it"],
  ["## Next Action\n1. First\n## Todo\n- Other", "First"],
  ["## Next Action\n<!-- - no -->\nPlain text", "Plain text"],
  ["## Next Action\n\n## Todo\n- Other", undefined],
  ["# Nothing", undefined],
])("the next action of %j is %j", (text, action) => {
  expect(nextActionOf(text)).toBe(action);
});
