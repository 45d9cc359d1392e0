import fc from "fast-check";
import { expect, it } from "vitest";
import { descendantsOf } from "./family.ts";

const table = fc
  .array(fc.record({ parent: fc.nat(30), start_time: fc.nat(50).map(String) }), { maxLength: 30 })
  .map((rows) => rows.map((row, index) => ({ pid: index + 1, ...row })));

it("descendants are reached from a root through children that are never older than their parents", () => {
  fc.assert(
    fc.property(table, fc.array(fc.nat(30), { maxLength: 4 }), (rows, roots) => {
      const found = descendantsOf(rows, roots);
      const reached = new Set([...roots, ...found.map((row) => row.pid)]);
      expect(new Set(found).size).toBe(found.length);
      for (const row of found) {
        expect(reached.has(row.parent)).toBe(true);
        expect(roots).not.toContain(row.pid);
        // A root need not be in the table: then nothing is known of its age.
        const parentStart = rows.find((other) => other.pid === row.parent)?.start_time ?? "0";
        expect(Number(row.start_time)).toBeGreaterThanOrEqual(Number(parentStart));
      }
    }),
  );
});
