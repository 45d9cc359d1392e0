import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { receipt } from "../../src/receipt.mjs";

test("a receipt lists the lines, the discount and what is to pay", () => {
  assert.equal(
    receipt([{ name: "Coffee", cents: 799, count: 3 }], 2397, 119),
    ["3 x Coffee      23.97", "Discount        -1.19", "To pay          22.78"].join("\n"),
  );
});

test("the program prints the receipt of an order", () => {
  const printed = execFileSync(process.execPath, ["src/till.mjs", "orders/today.json"], { encoding: "utf8" });
  assert.match(printed, /To pay +19\.17/);
});
