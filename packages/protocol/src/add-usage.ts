import type { Usage } from "./result.ts";

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
