import { expect, test } from "vitest";
import type { Usage } from "@loopwright/protocol";
import { addUsage } from "@loopwright/protocol";
import { priceUsage } from "./usage.ts";

const USAGE: Usage = {
  input_tokens: 1_000_000,
  cached_input_tokens: 400_000,
  output_tokens: 50_000,
  reasoning_tokens: null,
  model: null,
  basis: "invocation",
};
const PRICE = { input_usd_per_1m: 3, output_usd_per_1m: 15, cached_input_usd_per_1m: 0.3 };

test("cached tokens have their own price", () => {
  expect(priceUsage(USAGE, PRICE)).toBeCloseTo(0.6 * 3 + 0.4 * 0.3 + 0.05 * 15);
});

test("what is unknown has no price, and unknown isn't zero", () => {
  expect(priceUsage(null, PRICE)).toBeNull();
  expect(priceUsage(USAGE, undefined)).toBeNull();
  expect(priceUsage({ ...USAGE, output_tokens: null }, PRICE)).toBeNull();
});

test("steps add up, and unknown stays unknown only where both are", () => {
  expect(addUsage(USAGE, { ...USAGE, cached_input_tokens: null })).toMatchObject({
    input_tokens: 2_000_000,
    cached_input_tokens: 400_000,
    reasoning_tokens: null,
  });
});
