import { expect, test } from "vitest";
import { raise, wholeNumber } from "./numbers.ts";

test.each([
  ["whole", "60", { to: 60 }],
  ["whole", "+20", { add: 20 }],
  ["money", "+2.50", { add: 2.5 }],
  ["time", "+90m", { add: 5_400_000 }],
  ["time", "1.5h", { to: 5_400_000 }],
] as const)("%s %j is understood", (kind, text, expected) => {
  expect(raise(kind)(text)).toEqual(expected);
});

test.each([
  ["whole", "2.5"],
  ["whole", "0"],
  ["whole", "-3"],
  ["whole", "+"],
  ["whole", "1e9"],
  ["whole", "99999999999999999999"],
  ["money", "5$"],
  ["time", "90"],
  ["time", "5x"],
] as const)("%s %j is refused with an example", (kind, text) => {
  expect(() => raise(kind)(text)).toThrow(/^Expected an? .* such as /);
});

test("a whole number has a least value", () => {
  expect(wholeNumber(1)("7")).toBe(7);
  for (const text of ["0", "-1", "1.5", "", "many"])
    expect(() => wholeNumber(1)(text)).toThrow("at least 1");
});
