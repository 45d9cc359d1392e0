/** One step of the fake agent; tests/fixtures/fake-agent.mjs describes them all. */
export type Step = Readonly<Record<string, unknown>>;

export interface AgentPlan {
  readonly steps?: readonly Step[];
  readonly iterations?: Readonly<Record<string, readonly Step[]>>;
  readonly workflows?: Readonly<Record<string, readonly Step[] | Omit<AgentPlan, "workflows">>>;
}

/** Claims that the goal is met, the way that an agent does it. */
export const CLAIM: Step = {
  write: "{{control}}",
  json: controlOf({ stop_reason: "goal_met", reason: "Everything is done." }),
};

export function controlOf(
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return {
    schema_version: 1,
    attempt_id: "{{attempt_id}}",
    state: "stopped",
    attempted_routes: [],
    ...fields,
  };
}

export function report(fields: Readonly<Record<string, unknown>> = {}): Step {
  return {
    write: "{{report}}",
    json: { schema_version: 1, attempt_id: "{{attempt_id}}", summary: "Did a step.", ...fields },
  };
}

/** What makes the scratch project's check pass. */
export const DONE: Step = { write: "{{checkout}}/goal.txt", text: "done\n" };
