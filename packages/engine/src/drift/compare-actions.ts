import type { ActionDivergence } from "@loopwright/protocol";
import { type Differing, differing } from "./differing.ts";
import { type Cause, causeOf, DIVERGENCE_OF } from "./divergence.ts";
import { readAction } from "./reading/read-action.ts";
import { refines, sameAction } from "./refines.ts";

/**
 * `empty`: at least one text says nothing to do (blank, or only prefixes and punctuation). `aligned`: the same, or one
 * asks for the other's action in more detail. `diverged`: anything else.
 */
export type ActionComparison =
  | { readonly verdict: "empty" }
  | { readonly verdict: "aligned"; readonly refined_by: "a" | "b" | null }
  | {
      readonly verdict: "diverged";
      readonly divergence: ActionDivergence;
      readonly cause: Cause;
      readonly differing: Differing;
    };

/**
 * Compares two actions written by people or agents, of any length and language, in time proportional to their length.
 * Symmetric in verdict and divergence. In doubt it says `diverged`: a missed contradiction costs more than a needless look.
 */
export function compareActions(a: string, b: string): ActionComparison {
  const [one, other] = [readAction(a), readAction(b)];
  if (one.tokens.length === 0 || other.tokens.length === 0) return { verdict: "empty" };
  if (sameAction(one, other)) return { verdict: "aligned", refined_by: null };
  if (refines(one, other)) return { verdict: "aligned", refined_by: "b" };
  if (refines(other, one)) return { verdict: "aligned", refined_by: "a" };
  const cause = causeOf(one, other);
  return {
    verdict: "diverged",
    divergence: DIVERGENCE_OF[cause],
    cause,
    differing: differing(one, other),
  };
}

/** Whether two actions ask for the same, as far as their words tell. False if either says nothing. */
export function actionsAreAligned(a: string, b: string): boolean {
  return compareActions(a, b).verdict === "aligned";
}
