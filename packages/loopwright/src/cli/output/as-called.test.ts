import { expect, test } from "vitest";
import { createProgram } from "../program.ts";
import { asCalled, COMMANDS } from "./as-called.ts";

const from = (command?: string) => (text: string) =>
  asCalled(text, { LOOPWRIGHT_COMMAND: command });

test("every command that there is can be named", () => {
  const names = createProgram({ exitCode: 0 }).commands.map((command) => command.name());
  expect([...COMMANDS].sort()).toEqual(names.filter((name) => name !== "help").sort());
});

test("commands are named as they can be typed where they are read", () => {
  const render = from("~/loopwright/dev lw");
  expect(render("Stop it: loopwright stop. Then: loopwright resume --reload")).toBe(
    "Stop it: ~/loopwright/dev lw stop. Then: ~/loopwright/dev lw resume --reload",
  );
  expect(render("There: loopwright -C /x worker")).toBe("There: ~/loopwright/dev lw -C /x worker");
});

test("what names the product or its files stays", () => {
  const text =
    "Install loopwright again; loopwright.yaml in .loopwright is run by /opt/loopwright run";
  expect(from("./dev lw")(text)).toBe(text);
});

test("an installed program is called by its name", () => {
  expect(from()("Run: loopwright init")).toBe("Run: loopwright init");
});
