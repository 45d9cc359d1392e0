import { expect, test } from "vitest";
import { runtimeLayout } from "./layout.ts";

const SESSION = "20250102T123005Z-0123456789ab";
const layout = runtimeLayout("/root");

test("everything of a goal lies where the file formats say", () => {
  const goal = layout.goal("mend-1a2b");
  expect(goal.lock).toBe("/root/goals/mend-1a2b/locks/coordinator");
  expect(goal.goalJson).toBe("/root/goals/mend-1a2b/goal.json");
  const session = goal.session(SESSION);
  expect(session.journal).toBe(`/root/goals/mend-1a2b/sessions/${SESSION}/journal.jsonl`);
  expect(session.iteration(7, "inner").report).toBe(
    `${session.directory}/iterations/0007_inner/out/report.json`,
  );
  expect(session.iteration(12_345, "inner").withdrawn(2)).toBe(
    `${session.directory}/iterations/12345_inner.withdrawn-2`,
  );
  expect(session.evaluation(0, 1).receipt).toBe(
    `${session.directory}/evaluations/0000-1/receipt.json`,
  );
  expect(layout.checkoutLock("/home/x/repo")).toMatch(/^\/root\/checkouts\/[0-9a-f]{16}$/);
  expect(layout.projection("mend-1a2b")).toBe("/root/projections/mend-1a2b.json");
});

test("children lie in their parents", () => {
  expect(layout.goal("g").session(`${SESSION}-c01-c02`).directory).toBe(
    `/root/goals/g/sessions/${SESSION}/children/${SESSION}-c01/children/${SESSION}-c01-c02`,
  );
});

test.each([
  "",
  ".",
  "..",
  "../x",
  "a/b",
  "a\\b",
  "a\0b",
  "a.",
  "%2e%2e",
  "-x",
  "NUL",
  "com1.txt",
  "x".repeat(101),
  "ü",
])("the id %j touches no path", (id) => {
  expect(() => layout.goal(id)).toThrowError(expect.objectContaining({ code: "GOAL_ID_INVALID" }));
  expect(() => layout.projection(id)).toThrowError("is not a valid");
  expect(() => layout.goal("g").session(id)).toThrowError(
    expect.objectContaining({ code: "SESSION_NOT_FOUND" }),
  );
  expect(() => layout.goal("g").session(SESSION).iteration(1, id)).toThrowError("is not a valid");
  expect(() => layout.goal("g").session(SESSION).input(id)).toThrowError("is not a valid");
  expect(() => layout.goal("g").pin(id)).toThrowError("is not a valid");
});

test.each([-1, 0, 1.5, Number.NaN])("there is no iteration %d", (n) => {
  expect(() => layout.goal("g").session(SESSION).iteration(n, "a")).toThrowError(
    expect.objectContaining({ code: "ITERATION_NOT_FOUND" }),
  );
});
