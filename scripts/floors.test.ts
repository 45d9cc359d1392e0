import { expect, test } from "vitest";
import { checkImports } from "./floors.ts";

const messages = (path: string, source: string): string[] =>
  checkImports(`packages/${path}`, source).map(({ message }) => message);

test("an import may go down any number of floors", () => {
  const source = `
import { decide } from "@loopwright/engine";
import {
  append,
  type Journal,
} from "../store/journal.ts";
import { systemClock } from "../seams/clock.ts";
import { join } from "node:path";
import { Hono } from "hono";`;
  expect(messages("loopwright/src/coordinator/service.ts", source)).toEqual([]);
});

test("an import never goes up, to a sibling, or into another package's inside", () => {
  expect(
    messages("loopwright/src/store/journal.ts", `import { run } from "../worker/run.ts";`),
  ).toEqual(["store can't import worker, which is above it"]);
  expect(
    messages("loopwright/src/store/journal.ts", `import type { Tree } from "../git/tree.ts";`),
  ).toEqual(["store can't import its sibling git"]);
  expect(
    messages("loopwright/src/store/a.ts", `const { x } = await import("../cli/main.ts");`),
  ).toEqual(["store can't import cli, which is above it"]);
  expect(
    messages("engine/src/decide.ts", `export { x } from "../../protocol/src/errors.ts";`),
  ).toEqual(["../../protocol/src/errors.ts leaves the package; import it by name"]);
  expect(messages("engine/src/decide.ts", `import "@loopwright/protocol/errors";`)).toEqual([
    "@loopwright/protocol/errors is the inside of a package; import the package by its name",
  ]);
});

test("the pure packages import nothing of Node", () => {
  expect(messages("engine/src/a/b.ts", `import { readFileSync } from "node:fs";`)).toEqual([
    "engine is pure and can't import node:fs",
  ]);
  expect(messages("engine/src/a/b.test.ts", `import { readFileSync } from "node:fs";`)).toEqual([]);
});

test("the coordinator never imports agents", () => {
  expect(
    messages("loopwright/src/coordinator/a.ts", `import { run } from "../agents/runner.ts";`),
  ).toEqual(["coordinator never imports agents"]);
});

test("tests may put rooms together, and what is for tests stays in tests", () => {
  expect(
    messages("loopwright/src/store/a.test.ts", `import { run } from "../worker/run.ts";`),
  ).toEqual([]);
  expect(
    messages("loopwright/src/store/a.ts", `import { fake } from "./testing/fake-disk.ts";`),
  ).toEqual(["./testing/fake-disk.ts is for tests only"]);
  const shared = `import { steady } from "@loopwright/engine/testing";`;
  expect(messages("loopwright/src/store/a.test.ts", shared)).toEqual([]);
  expect(messages("loopwright/src/store/a.ts", shared)).toEqual([
    "@loopwright/engine/testing is for tests only",
  ]);
});

test("a problem names its line", () => {
  const [problem] = checkImports(
    "packages/engine/src/a.ts",
    `// first\n\nimport { x } from "node:os";\n`,
  );
  expect(problem?.where).toBe("packages/engine/src/a.ts:3");
});
