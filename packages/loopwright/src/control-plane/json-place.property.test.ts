import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonPlace } from "./json-place.ts";

test("the place of a value is where its text begins, in any JSON and any layout", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom(0, 1, 3),
      fc.nat(),
      (value, indent, pick) => {
        const text = JSON.stringify(value, null, indent);
        const paths = pathsOf(value);
        const path = paths[pick % paths.length] ?? [];
        const { line, column } = jsonPlace(text, path);
        const rest = text
          .split("\n")
          .slice(line - 1)
          .join("\n")
          .slice(column - 1);
        const found = JSON.stringify(
          path.reduce<unknown>((here, key) => (here as Record<PropertyKey, unknown>)[key], value),
        );
        expect(rest.replace(/\s/g, "").startsWith(found.replace(/\s/g, ""))).toBe(true);
      },
    ),
  );
});

/** Paths without duplicate or prototype keys, which JSON text can't tell apart. */
function pathsOf(value: unknown, path: PropertyKey[] = []): PropertyKey[][] {
  if (typeof value !== "object" || value === null) return [path];
  const keys = Array.isArray(value)
    ? [...value.keys()]
    : Object.keys(value).filter((key) => key !== "__proto__");
  return [
    path,
    ...keys.flatMap((key) => pathsOf((value as Record<PropertyKey, unknown>)[key], [...path, key])),
  ];
}
