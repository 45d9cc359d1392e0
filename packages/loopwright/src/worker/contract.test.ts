import { control, report } from "@loopwright/protocol";
import { expect, test } from "vitest";
import { CONTRACT_DOCUMENTS, renderContract } from "./contract.ts";

test("every example is valid by the schema that it explains", () => {
  for (const { schema, example } of CONTRACT_DOCUMENTS)
    expect(schema.safeParse(example).success).toBe(true);
});

test("examples name the attempt, so that a copied one is one of this attempt", () => {
  const { documents } = JSON.parse(renderContract("01jgfjjv00zzzzzzzzzzzzzzzz"));
  expect(report.parse(documents["report.json"].example).attempt_id).toBe(
    "01jgfjjv00zzzzzzzzzzzzzzzz",
  );
  expect(control.parse(documents["control.json"].example).attempt_id).toBe(
    "01jgfjjv00zzzzzzzzzzzzzzzz",
  );
  expect(documents["report.json"].schema.required).toContain("summary");
});
