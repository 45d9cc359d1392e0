import type { Spending, Usage, WorkflowCounters } from "@loopwright/protocol";

export const NOTHING_SPENT: Spending = {
  tokens: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  cost_usd: 0,
  unknown_tokens: 0,
  unknown_cost: 0,
  live_ms: 0,
};

/** What one iteration used. `null` is unknown: it is counted as unknown, never as zero. */
export interface Used {
  readonly usage: Usage | null;
  readonly cost_usd: number | null;
  readonly live_ms: number;
}

/**
 * Tokens of one iteration, or null where they are unknown. Cached input is part of the input, reasoning part of the
 * output, so neither is added again.
 */
export function tokensOf(usage: Usage | null): number | null {
  if (usage === null || usage.input_tokens === null || usage.output_tokens === null) return null;
  return usage.input_tokens + usage.output_tokens;
}

export function spend(spent: Spending, used: Used): Spending {
  const { usage } = used;
  const tokens = tokensOf(usage);
  const input = usage?.input_tokens ?? 0;
  const output = usage?.output_tokens ?? 0;
  return {
    tokens: spent.tokens + input + output,
    input_tokens: spent.input_tokens + input,
    cached_input_tokens: spent.cached_input_tokens + (usage?.cached_input_tokens ?? 0),
    output_tokens: spent.output_tokens + output,
    reasoning_tokens: spent.reasoning_tokens + (usage?.reasoning_tokens ?? 0),
    cost_usd: spent.cost_usd + (used.cost_usd ?? 0),
    unknown_tokens: spent.unknown_tokens + (tokens === null ? 1 : 0),
    unknown_cost: spent.unknown_cost + (used.cost_usd === null ? 1 : 0),
    live_ms: spent.live_ms + used.live_ms,
  };
}

/** A verification: its time counts, and its cost where judges had one. Without a judge there is none to know. */
export function spendVerification(
  spent: Spending,
  live_ms: number,
  cost_usd: number | null,
): Spending {
  return { ...spent, cost_usd: spent.cost_usd + (cost_usd ?? 0), live_ms: spent.live_ms + live_ms };
}

export function dearer(
  dearest: WorkflowCounters["dearest"],
  used: Used,
): WorkflowCounters["dearest"] {
  return {
    tokens: Math.max(dearest.tokens, tokensOf(used.usage) ?? 0),
    cost_usd: Math.max(dearest.cost_usd, used.cost_usd ?? 0),
    live_ms: Math.max(dearest.live_ms, used.live_ms),
  };
}
