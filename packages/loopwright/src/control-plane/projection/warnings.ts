import { branchSwitchedWarning } from "@loopwright/engine";
import type { DriftWarning } from "@loopwright/protocol";
import type { Gathered } from "./gather.ts";

/** The drift that files and git show, whoever runs. Pure. */
export function warningsOf(
  goalId: string,
  { session, checkout }: Omit<Gathered, "warnings" | "problems" | "derived_from">,
): DriftWarning[] {
  const branch = branchSwitchedWarning({
    goalId,
    left: session?.left ?? null,
    now: checkout,
    live: session?.status === "running",
  });
  return branch === null ? [] : [branch];
}
