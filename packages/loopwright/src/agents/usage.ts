import type { AgentConfiguration, Usage } from "@loopwright/protocol";

/**
 * US dollars of one iteration by a configured price, or null where what is needed is unknown: unknown isn't zero.
 * `cached_input_tokens` are part of `input_tokens`, `reasoning_tokens` of `output_tokens`.
 */
export function priceUsage(usage: Usage | null, price: AgentConfiguration["price"]): number | null {
  if (usage === null || price === undefined) return null;
  const { input_tokens: input, output_tokens: output } = usage;
  if (input === null || output === null) return null;
  const cached = Math.min(usage.cached_input_tokens ?? 0, input);
  const cachedPrice = price.cached_input_usd_per_1m ?? price.input_usd_per_1m;
  const millionths =
    (input - cached) * price.input_usd_per_1m +
    cached * cachedPrice +
    output * price.output_usd_per_1m;
  return millionths / 1e6;
}
