import { expect, test } from "vitest";
import { fillPlaceholders, unknownPlaceholders } from "./placeholders.ts";

test("unknown ones are found with their place, known ones are not", () => {
  expect(unknownPlaceholders("{{out}} {{ session }}\n  {{nope}} {{}} { {x} }")).toEqual([
    { name: "nope", line: 2, column: 3 },
    { name: "", line: 2, column: 12 },
  ]);
});

test("values are put in as they are, also with dollar signs", () => {
  const values = {
    out: "$&",
    project_state: "p",
    session: "s",
    iteration: "1",
    attempt_id: "a",
    workflow: "w",
  };
  expect(fillPlaceholders("{{out}}/{{ workflow }}", values)).toBe("$&/w");
});
