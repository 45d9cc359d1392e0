import type { Rules, SchedulingRules } from "@loopwright/protocol";
import { digestOf, innerOuterEval, rulesOf, workflow } from "./fixtures.ts";
import type { Dice } from "./random-session.ts";

/** A schedule of one to five workflows, most of them odd, many of them ones that preflight refuses. */
export function randomWorkflows(dice: Dice): SchedulingRules[] {
  const ids = ["a", "b", "c", "d", "e"].slice(0, 1 + dice(5));
  return ids.map((id) => {
    const other = ids[dice(ids.length)] ?? id;
    const third = ids[dice(ids.length)] ?? id;
    return workflow(id, {
      enabled: dice(15) > 0,
      priority: dice(4) * 10,
      run_every: 1 + dice(4),
      not_before_iteration: dice(4) === 0 ? dice(8) : 0,
      run_on_start: dice(3) === 0,
      run_when_requested: dice(5) === 0,
      emits_goal_check: dice(5) === 0,
      plans: dice(3) === 0,
      may_complete: dice(2) === 0,
      ...(dice(5) < 2 ? { must_follow: other } : {}),
      ...(dice(5) === 0 ? { run_after_successes: { workflow: third, every: 1 + dice(3) } } : {}),
    });
  });
}

export function randomRules(dice: Dice): Rules {
  const checks = ["build", "lint", "test"]
    .slice(0, dice(4))
    .map((id, at) => ({ id, sha256: digestOf(100 + at), required: dice(4) > 0 }));
  return rulesOf(dice(2) === 0 ? innerOuterEval() : randomWorkflows(dice), {
    limits: {
      max_iterations: 5 + dice(60),
      max_wall_clock_ms: dice(3) === 0 ? 20_000 + dice(100_000) : null,
      max_tokens: dice(3) === 0 ? 20_000 + dice(100_000) : null,
      max_cost_usd: dice(3) === 0 ? 1 + dice(20) : null,
      no_progress_after: dice(3) === 0 ? null : 1 + dice(8),
      workflow_failure_cap: 1 + dice(5),
    },
    unknown_cost: dice(2) === 0 ? "stop" : "count_iterations",
    gate: {
      checks,
      baseline: dice(2) === 0 ? "require_red" : "allow_green",
      run: dice(2) === 0 ? "claims" : "implementing",
    },
  });
}
