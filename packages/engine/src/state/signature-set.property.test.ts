import fc from "fast-check";
import { expect, it } from "vitest";
import { addSignature, hasSignature, NO_SIGNATURES, signature } from "./signature-set.ts";

const tree = fc.stringMatching(/^[0-2]{3}$/).map((end) => `${"0".repeat(37)}${end}`);
const keys = fc.array(
  fc
    .tuple(tree, fc.subarray(["build", "test"]))
    .map(([digest, passing]) => signature(digest, passing)),
);

it("holds what a plain set holds, and leaves older versions as they were", () => {
  fc.assert(
    fc.property(keys, (added) => {
      const plain = new Set<string>();
      const versions = [NO_SIGNATURES];
      for (const key of added) {
        expect(hasSignature(versions.at(-1) ?? NO_SIGNATURES, key)).toBe(plain.has(key));
        plain.add(key);
        versions.push(addSignature(versions.at(-1) ?? NO_SIGNATURES, key));
      }
      const newest = versions.at(-1) ?? NO_SIGNATURES;
      expect(newest.size).toBe(plain.size);
      for (const key of plain) expect(hasSignature(newest, key)).toBe(true);
      expect(versions.map((version) => version.size)).toEqual(
        versions.map((_version, at) => new Set(added.slice(0, at)).size),
      );
    }),
  );
});

it("takes tree names of both lengths, one of which begins with the other", () => {
  const short = "a".repeat(40);
  const long = "a".repeat(64);
  const both = addSignature(addSignature(NO_SIGNATURES, signature(short, [])), signature(long, []));
  expect([
    hasSignature(both, signature(short, [])),
    hasSignature(both, signature(long, [])),
    both.size,
  ]).toEqual([true, true, 2]);
});
