import { expect, test } from "vitest";
import { type Tested, withSections } from "./tested-page.ts";

const TESTED: Tested = {
  cli: "one",
  title: "One",
  version: "1.2.3",
  date: "2026-01-01",
  machine: "Node v24",
  scenarios: [
    { name: "a text turn", result: "passed" },
    { name: "a|b", result: "failed" },
  ],
};
const HEAD = "# Agents, tested\n\nHow to run it.\n";

test("a section is put behind what people wrote, and a bar in a name breaks no table", () => {
  expect(withSections(HEAD, [TESTED])).toBe(`${HEAD}
<!-- one -->
## One 1.2.3

Run on 2026-01-01 with Node v24.

| scenario | result |
| --- | --- |
| a text turn | passed |
| a\\|b | failed |
<!-- end -->
`);
});

test("a later run replaces its own sections and leaves the others", () => {
  const other = { ...TESTED, cli: "another", title: "Another" };
  const before = withSections(HEAD, [TESTED, other]);
  const after = withSections(before, [{ ...TESTED, version: "1.2.4" }]);
  expect(after).toBe(before.replace("One 1.2.3", "One 1.2.4"));
  expect(after.indexOf("Another")).toBeLessThan(after.indexOf("One 1.2.4"));
});
