import assert from "node:assert/strict";
import test from "node:test";
import { total } from "../../src/total.mjs";

test("an empty order costs nothing", () => assert.equal(total([]), 0));

test("every line counts as often as it was ordered", () => {
  assert.equal(total([{ cents: 249, count: 2 }, { cents: 799, count: 1 }]), 1297);
});

test("a negative count is refused", () => {
  assert.throws(() => total([{ cents: 100, count: -1 }]), RangeError);
});
