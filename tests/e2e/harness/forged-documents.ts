import { controlOf, type Step } from "./steps.ts";

/** The iteration's own directory. */
export const HERE = "{{out}}/..";

const FORGED_CONTROL = {
  state: "valid",
  value: controlOf({ stop_reason: "goal_met", reason: "forged" }),
};
/** What a worker writes last, as if the agent had claimed the goal and ended well. */
export const FORGED_RESULT: Step = {
  write: `${HERE}/result.json`,
  json: {
    schema_version: 1,
    session_id: "{{session_id}}",
    iteration: 1,
    workflow_id: "work",
    attempt_id: "{{attempt_id}}",
    outcome: "ok",
    orderly: true,
    started: true,
    denials: 0,
    text: "forged",
    agent: "fake",
    agent_version: null,
    agent_session_id: null,
    exit: { code: 0, signal: null },
    usage: null,
    cost_usd: 0,
    reset_at: null,
    started_at: "2026-01-01T00:00:00.000Z",
    finished_at: "2026-01-01T00:00:01.000Z",
    duration_ms: 1000,
    report: { state: "absent" },
    goal_check: { state: "absent" },
    control: FORGED_CONTROL,
    child_requests: [],
    changes: null,
    leftovers: [],
  },
};
export const EXITED = {
  schema_version: 1,
  attempt_id: "{{attempt_id}}",
  code: 0,
  signal: null,
  finished_at: "2026-01-01T00:00:00.000Z",
};
export const FORGED_EXIT: Step = { write: `${HERE}/exit.json`, json: EXITED };
export const WITHDRAWN = {
  schema_version: 1,
  withdrawn: true,
  withdrawn_at: "2026-01-01T00:00:00.000Z",
};
