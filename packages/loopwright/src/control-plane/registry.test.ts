import { describe, expect, test } from "vitest";
import { loadRegistry, parseRegistry, registryGoal } from "./registry.ts";

const path = "/p/.loopwright/registry.json";
const goal = (fields: object): object => ({ id: "a", repo: "/a", ...fields });

describe("parseRegistry", () => {
  test("keeps fields that it doesn't know", () => {
    const registry = parseRegistry(
      path,
      JSON.stringify({ goals: [goal({ owner: "me" })], team: "x" }),
    );
    expect(registry).toMatchObject({
      schema_version: 1,
      team: "x",
      goals: [{ id: "a", owner: "me" }],
    });
  });

  test.each([
    ['{"goals": [,]}', ":1:12 this is not valid JSON"],
    ["", "is empty"],
    ["[]", ":1:1 a registry must be a JSON object"],
    ['{\n  "goals": {}\n}', ':2:12 "goals" must be a list'],
    ['{"goals": [{"id": "a"}]}', ":1:12 goals.0.repo is missing"],
    ['{"goals": [{"id": "a/b", "repo": "/a"}]}', ":1:19 goals.0.id "],
    [
      '{"goals": [{"id": "a", "repo": "/a"},\n{"id": "a", "repo": "/b"}]}',
      ':2:8 the goal id "a" stands here twice',
    ],
    ['{"goals": [{"id": "a", "repo": "/a"}, {"id": "A", "repo": "/b"}]}', "differ only in case"],
    [
      '{"goals": [{"id": "a", "repo": "/a", "state_file": "s"}, {"id": "b", "repo": "/a", "state_file": "./s"}]}',
      "share one state file",
    ],
  ])("refuses %s in one sentence with its place", (text, sentence) => {
    expect(() => parseRegistry(path, text)).toThrow(sentence);
    expect(() => parseRegistry(path, text)).toThrow(
      expect.objectContaining({ code: "REGISTRY_INVALID" }),
    );
  });

  test("names both versions of a newer one", () => {
    expect(() => parseRegistry(path, '{"schema_version": 7}')).toThrow(
      "version 7, but this program knows only up to 1",
    );
  });

  test("reads a LoopX registry, whose version counts something else", () => {
    const text = JSON.stringify({ schema_version: "0.1", goals: [goal({ domain: "x" })] });
    expect(parseRegistry("/p/.loopx/registry.json", text).goals).toHaveLength(1);
  });
});

test("a missing registry is an empty one", () => {
  expect(loadRegistry("/nonexistent/registry.json").goals).toEqual([]);
});

test("a mistyped goal is answered with the nearest one", () => {
  const registry = parseRegistry(path, JSON.stringify({ goals: [goal({ id: "shop" })] }));
  expect(() => registryGoal(registry, "shpo", path)).toThrow(
    expect.objectContaining({ code: "GOAL_NOT_FOUND", hint: 'Did you mean "shop"?' }),
  );
});
