import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { draftOf } from "./draft.ts";

const schema = z.strictObject({
  name: z.string(),
  size: z.int().positive().default(1),
  parts: z.array(z.string()).default([]),
  nested: z.record(z.string(), z.strictObject({ model: z.string() })).default({}),
});

test("what is valid stays, and what isn't takes its default", () => {
  const value = {
    name: "x",
    size: -1,
    parts: ["a", 5],
    nested: { good: { model: "m" }, bad: { modle: "m" } },
    extra: true,
  };
  expect(draftOf(value, schema)).toEqual({
    name: "x",
    size: 1,
    parts: [],
    nested: { good: { model: "m" } },
  });
  expect(value.extra).toBe(true);
});

test("without what must be there, there is none", () => {
  expect(draftOf({ size: 2 }, schema)).toBeUndefined();
  expect(draftOf(null, schema)).toBeUndefined();
  expect(draftOf("text", schema)).toBeUndefined();
});

test("whatever somebody writes, a draft is valid or isn't there", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom("name", "size", "parts", "nested", "x"), fc.jsonValue()),
      (value) => {
        const draft = draftOf(value, schema);
        expect(draft === undefined || schema.safeParse(draft).success).toBe(true);
        if (typeof value["name"] === "string") expect(draft).toBeDefined();
      },
    ),
  );
});
