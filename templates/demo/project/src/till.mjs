import { readFileSync } from "node:fs";
import { discount } from "./discount.mjs";
import { receipt } from "./receipt.mjs";
import { total } from "./total.mjs";

const order = JSON.parse(readFileSync(process.argv[2], "utf8"));
const sum = total(order.lines);
console.log(receipt(order.lines, sum, discount(sum)));
