import type { DriftFactWarning } from "@loopwright/protocol";
import { type AboutGoal, warn } from "./warn.ts";

export interface CheckoutPlace {
  /** Null: detached. */
  readonly branch: string | null;
  /** Null: no commit yet. */
  readonly head: string | null;
}

export interface BranchFacts extends AboutGoal {
  /** Where the latest iteration left the checkout; null before the first. */
  readonly left: (CheckoutPlace & { readonly iteration: number }) | null;
  /** Where it is now; null when the checkout can't be read. */
  readonly now: CheckoutPlace | null;
  /** A session works in it right now. */
  readonly live: boolean;
}

/** Somebody else switched the branch. New commits on the same branch are nobody's drift. */
export function branchSwitchedWarning({
  left,
  now,
  live,
  goalId = "GOAL",
}: BranchFacts): DriftFactWarning | null {
  if (left === null || now === null) return null;
  const detachedElsewhere = left.branch === null && now.branch === null && left.head !== now.head;
  if (left.branch === now.branch && !detachedElsewhere) return null;
  return warn({
    kind: "branch_switched",
    severity: live ? "action" : "watch",
    reason: `The work so far is on ${named(left)}, but the checkout is now on ${named(now)}.`,
    recommended:
      left.branch === null
        ? `Go back to the work so far (git checkout ${left.head ?? "its commit"}), or go on from here: loopwright run --goal ${goalId}`
        : `Go back to the work so far (git switch ${shellWord(left.branch)}), or go on from here: loopwright run --goal ${goalId}`,
    evidence: [
      { source: "changes.json", says: `iteration ${left.iteration} ended on ${named(left)}` },
      { source: "git", says: `the checkout is on ${named(now)}` },
    ],
  });
}

function named({ branch, head }: CheckoutPlace): string {
  const commit = head === null ? "no commit" : head.slice(0, 12);
  return branch === null ? `a detached head (${commit})` : `${branch} (${commit})`;
}

function shellWord(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
