import {
  amountText,
  type DecisionFacts,
  plural,
  type RaisableLimit,
  type RecordData,
  type StopReason,
} from "@loopwright/protocol";
import { countersOf } from "../state/counters.ts";
import type { State } from "../state/state.ts";

export interface LimitStop {
  readonly reached: RecordData<"limit_reached">;
  readonly stop_reason: StopReason;
  readonly detail: string;
}

interface Measure {
  readonly limit: RaisableLimit;
  readonly value: number | null;
  readonly spent: number;
  readonly needed: number;
  /** Iterations of unknown size that nobody has accepted. */
  readonly unknown: number;
}

/**
 * Stop rule 6, before a launch: what is spent and the dearest known iteration of that workflow must fit together. A
 * limit that is used up allows nothing more, whatever the next iteration may need. `null`: no workflow is to run.
 */
export function limitStop(
  state: State,
  workflowId: string | null,
  facts: Pick<DecisionFacts, "spent_elsewhere">,
): LimitStop | null {
  for (const measure of measures(state, workflowId, facts)) {
    const stop = exceeded(measure, workflowId, state.rules.unknown_cost === "stop");
    if (stop !== null) return stop;
  }
  return null;
}

/** Verifications are exempt from every limit but time. */
export function timeStop(state: State): LimitStop | null {
  const { live_ms } = state.spent;
  return exceeded(
    {
      limit: "max_wall_clock_ms",
      value: state.limits.max_wall_clock_ms,
      spent: live_ms,
      needed: 0,
      unknown: 0,
    },
    null,
    false,
  );
}

function measures(
  state: State,
  workflowId: string | null,
  facts: Pick<DecisionFacts, "spent_elsewhere">,
): Measure[] {
  const { limits, spent, accepted_unknown } = state;
  const dearest =
    workflowId === null
      ? { tokens: 0, cost_usd: 0, live_ms: 0 }
      : countersOf(state.workflows, workflowId).dearest;
  const elsewhere = facts.spent_elsewhere ?? { tokens: 0, cost_usd: 0 };
  return [
    {
      limit: "max_iterations",
      value: limits.max_iterations,
      spent: state.iterations,
      needed: 1,
      unknown: 0,
    },
    {
      limit: "max_wall_clock_ms",
      value: limits.max_wall_clock_ms,
      spent: spent.live_ms,
      needed: dearest.live_ms,
      unknown: 0,
    },
    {
      limit: "max_tokens",
      value: limits.max_tokens,
      spent: spent.tokens + elsewhere.tokens,
      needed: dearest.tokens,
      unknown: spent.unknown_tokens - accepted_unknown.tokens,
    },
    {
      limit: "max_cost_usd",
      value: limits.max_cost_usd,
      spent: spent.cost_usd + elsewhere.cost_usd,
      needed: dearest.cost_usd,
      unknown: spent.unknown_cost - accepted_unknown.cost,
    },
  ];
}

function exceeded(
  measure: Measure,
  workflowId: string | null,
  stopsOnUnknown: boolean,
): LimitStop | null {
  const { limit, value, spent, needed, unknown } = measure;
  if (value === null) return null;
  const isUnknown = stopsOnUnknown && unknown > 0;
  if (spent < value && spent + needed <= value && !isUnknown) return null;
  const detail = isUnknown
    ? `${REASON[limit]} can't be kept: the amount of ${plural(unknown, "iteration")} is unknown, and unknown isn't zero.`
    : `${REASON[limit]} is ${amountText(limit, value)}: ${amountText(limit, spent)} used, and the next iteration may need ${amountText(limit, needed)}.`;
  return {
    reached: { limit, value, spent, needed, workflow_id: workflowId },
    stop_reason: REASON[limit],
    detail,
  };
}

const REASON = {
  max_iterations: "max_iterations",
  max_wall_clock_ms: "max_wall_clock",
  max_tokens: "max_tokens",
  max_cost_usd: "max_cost_usd",
} as const satisfies Record<RaisableLimit, StopReason>;
