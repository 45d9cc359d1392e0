import { branchSwitchedWarning } from "@loopwright/engine";
import type { DriftWarning } from "@loopwright/protocol";
import { planDrift } from "../drift/plan-drift.ts";
import type { Gathered } from "./gather.ts";

/**
 * The drift that files and git show, whoever runs, as far as somebody should look at it. `loopwright drift` also tells
 * what is only to know. Pure.
 */
export function warningsOf(
  goalId: string,
  facts: Omit<Gathered, "warnings" | "problems" | "derived_from">,
): DriftWarning[] {
  const { session, checkout, active_state: state, latest_run, recommending_run } = facts;
  const branch = branchSwitchedWarning({
    goalId,
    left: session?.left ?? null,
    now: checkout,
    live: session?.status === "running",
  });
  const plan = planDrift({
    goalId,
    activeState: state && {
      digest: state.digest,
      nextAction: state.next_action,
      openTodos: state.open_todos,
    },
    latest: latest_run,
    recommending: recommending_run,
  });
  return [
    ...(branch === null ? [] : [branch]),
    ...plan.filter(({ severity }) => severity !== "info"),
  ];
}
