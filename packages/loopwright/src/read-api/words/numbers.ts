import type { Usage } from "@loopwright/protocol";

/** `$0.31`, and cents of cents only where there is nothing else. */
export function money(usd: number): string {
  return `$${usd > 0 && usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;
}

/** `12.3k tokens`; what is unknown is not counted as zero, but said. */
export function tokens({
  input_tokens,
  output_tokens,
}: Pick<Usage, "input_tokens" | "output_tokens">): string {
  if (input_tokens === null && output_tokens === null) return "tokens unknown";
  return `${compact((input_tokens ?? 0) + (output_tokens ?? 0))} tokens`;
}

/** `850`, `12.3k`, `4.1M`. */
export function compact(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${trimmed(count / 1000)}k`;
  return `${trimmed(count / 1_000_000)}M`;
}

function trimmed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}

/** `14:05:09` of a timestamp, in UTC as in the files. */
export function clockTime(at: string): string {
  return at.slice(11, 19);
}
