import { describe, expect, test } from "vitest";
import { proposeGoalId, validateGoalId } from "./goal-id.ts";

describe("validateGoalId", () => {
  test.each(["a", "My-goal_1.2", "0", "x".repeat(100)])("accepts %j", (id) => {
    expect(validateGoalId(id)).toBe(id);
  });

  test.each([
    ["", "it is empty"],
    ["x".repeat(101), "101 characters"],
    ["a.", "ends in a dot"],
    ["../etc", "doesn't begin with a letter or digit"],
    ["a/b", 'it contains "/"'],
    ["a b", 'it contains " "'],
    ["con", "device name"],
    ["LPT1.txt", "device name"],
    [".hidden", "doesn't begin"],
    ["a\u0000b", "it contains"],
    ["ä", "doesn't begin"],
  ])("refuses %j and says why", (id, why) => {
    expect(() => validateGoalId(id)).toThrow(why);
    expect(() => validateGoalId(id)).toThrow(
      expect.objectContaining({ code: "GOAL_ID_INVALID", exitCode: 2 }),
    );
  });
});

describe("proposeGoalId", () => {
  test("differs for folders of one name in two places", () => {
    const one = proposeGoalId("/a/shop", "/a/shop/.loopwright/registry.json");
    const other = proposeGoalId("/b/shop", "/b/shop/.loopwright/registry.json");
    expect(one).toMatch(/^shop-[0-9a-f]{4}$/);
    expect(other).not.toBe(one);
  });

  test.each(["/", "/tmp/ü ö", "/tmp/...", "/tmp/my project!", `/tmp/${"x".repeat(200)}`])(
    "is valid for %j",
    (root) => {
      expect(() =>
        validateGoalId(proposeGoalId(root, `${root}/.loopwright/registry.json`)),
      ).not.toThrow();
    },
  );
});
