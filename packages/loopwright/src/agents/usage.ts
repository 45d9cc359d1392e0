import type { AgentConfiguration, Usage } from "@loopwright/protocol";

const COUNTS = [
  "input_tokens",
  "cached_input_tokens",
  "output_tokens",
  "reasoning_tokens",
] as const;

/** Sum of two steps. Unknown stays unknown only where both are. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum = (x: number | null, y: number | null): number | null =>
    x === null && y === null ? null : (x ?? 0) + (y ?? 0);
  const counts = Object.fromEntries(COUNTS.map((name) => [name, sum(a[name], b[name])]));
  return { ...b, ...(counts as Pick<Usage, (typeof COUNTS)[number]>), model: b.model ?? a.model };
}

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
