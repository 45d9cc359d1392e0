import type {
  Configuration,
  FrozenWorkflow,
  Pins,
  Rules,
  SchedulingRules,
} from "@loopwright/protocol";

/** What decisions depend on, out of everything that a session freezes. */
export function rulesOf(
  configuration: Configuration,
  workflows: readonly FrozenWorkflow[],
  pins: Pick<Pins, "checks">,
): Rules {
  const { limits, gate } = configuration;
  return {
    workflows: workflows.map(schedulingRulesOf),
    limits: {
      max_iterations: limits.max_iterations,
      max_wall_clock_ms: limits.max_wall_clock,
      max_tokens: limits.max_tokens,
      max_cost_usd: limits.max_cost_usd,
      no_progress_after: limits.no_progress_after,
      workflow_failure_cap: limits.workflow_failure_cap,
    },
    unknown_cost: configuration.unknown_cost,
    gate: {
      checks: pins.checks.map(({ id, sha256, required }) => ({ id, sha256, required })),
      baseline: gate.baseline,
      run: gate.run,
    },
  };
}

/** What the scheduler knows of a workflow. */
export function schedulingRulesOf(workflow: FrozenWorkflow): SchedulingRules {
  const { must_follow, run_after_successes } = workflow;
  return {
    id: workflow.id,
    enabled: workflow.enabled,
    priority: workflow.priority,
    run_every: workflow.run_every,
    not_before_iteration: workflow.not_before_iteration,
    run_on_start: workflow.run_on_start,
    run_when_requested: workflow.run_when_requested,
    emits_goal_check: workflow.emits_goal_check,
    plans: workflow.plans,
    may_complete: workflow.may_complete,
    ...(must_follow === undefined ? {} : { must_follow }),
    ...(run_after_successes === undefined ? {} : { run_after_successes }),
  };
}
