import assert from "node:assert/strict";
import test from "node:test";
import { discount } from "../../src/discount.mjs";

test("there is no discount below 20.00", () => assert.equal(discount(1999), 0));

test("from 20.00 it is 5 %, rounded down to a cent", () => {
  assert.equal(discount(2000), 100);
  assert.equal(discount(2017), 100);
});

test("it is never more than 10.00", () => assert.equal(discount(100_000), 1000));
