import { plural, type Spending } from "@loopwright/protocol";
import { compact, money } from "./numbers.ts";

/** What was spent, with what isn't known said as such. */
export function spendingText(spent: Spending): string {
  const cost =
    spent.unknown_cost > 0
      ? `${money(spent.cost_usd)} known, ${plural(spent.unknown_cost, "iteration")} of unknown cost`
      : money(spent.cost_usd);
  const tokens =
    spent.unknown_tokens > 0
      ? `${compact(spent.tokens)} tokens known`
      : `${compact(spent.tokens)} tokens`;
  return spent.tokens === 0 && spent.cost_usd === 0 && spent.unknown_cost > 0
    ? "cost unknown"
    : `${cost}, ${tokens}`;
}
