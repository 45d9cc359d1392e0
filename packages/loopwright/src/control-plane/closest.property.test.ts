import fc from "fast-check";
import { expect, test } from "vitest";
import { closest } from "./closest.ts";

const word = fc.stringMatching(/^[a-z_]{4,20}$/);

test("a word with one slip is answered with the word", () => {
  fc.assert(
    fc.property(word, fc.nat(), fc.constantFrom("drop", "double", "swap"), (meant, at, slip) => {
      const i = at % (meant.length - 1);
      const slipped = {
        drop: meant.slice(0, i) + meant.slice(i + 1),
        double: meant.slice(0, i) + meant[i] + meant.slice(i),
        swap: meant.slice(0, i) + meant[i + 1] + meant[i] + meant.slice(i + 2),
      }[slip];
      expect(closest(slipped, [meant])).toBe(meant);
    }),
  );
});

test("something else altogether is answered with nothing", () => {
  expect(closest("zzz", ["max_iterations", "workflow_set"])).toBeUndefined();
  expect(closest("priority", [])).toBeUndefined();
});
