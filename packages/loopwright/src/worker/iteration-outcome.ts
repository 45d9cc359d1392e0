import type { Result, WorkflowTask } from "@loopwright/protocol";
import type { AgentRun } from "../agents/runner.ts";
import { settleOutcome } from "../agents/settle.ts";
import { priceUsage } from "../agents/usage.ts";

type OutcomeFields = Pick<
  Result,
  | "outcome"
  | "cause"
  | "evidence"
  | "orderly"
  | "started"
  | "denials"
  | "text"
  | "agent_session_id"
  | "exit"
  | "usage"
  | "cost_usd"
  | "reset_at"
  | "leftovers"
>;

export interface Surroundings {
  readonly reportValid: boolean;
  readonly diskFull: () => boolean;
}

/** What a run was, in the fields of `result.json`. */
export function outcomeOf(
  task: WorkflowTask,
  run: Extract<AgentRun, { kind: "ended" | "not_started" }>,
  { reportValid, diskFull }: Surroundings,
): OutcomeFields {
  if (run.kind === "not_started") return { ...neverStarted(run), ...NOTHING };
  const { end, parsed } = run;
  const settled = settleOutcome({
    stop: run.stop,
    parsed,
    reportValid,
    checkoutGone: run.checkoutGone,
    diskFull: run.stop === null && parsed.outcome !== "ok" && diskFull(),
  });
  const { settings, usage } = { settings: task.agent, usage: parsed.usage };
  return {
    ...settled,
    started: true,
    denials: parsed.denials,
    text: parsed.text,
    agent_session_id: parsed.agentSessionId,
    exit: { code: end.code, signal: end.signal },
    usage: usage === null ? null : { ...usage, model: usage.model ?? settings.model ?? null },
    cost_usd: parsed.costUsd ?? priceUsage(usage, settings.price),
    reset_at: parsed.resetAt,
    leftovers: run.leftovers.slice(0, 64),
  };
}

const NOTHING = {
  orderly: false,
  started: false,
  denials: 0,
  text: "",
  agent_session_id: null,
  exit: { code: null, signal: null },
  usage: null,
  cost_usd: null,
  reset_at: null,
  leftovers: [],
} satisfies Partial<OutcomeFields>;

function neverStarted(
  run: Extract<AgentRun, { kind: "not_started" }>,
): Pick<OutcomeFields, "outcome" | "cause" | "evidence"> {
  const evidence = run.reason.slice(0, 2_000);
  if (run.problem === "workspace") return { outcome: "workspace_gone", evidence };
  if (run.problem === "files" || run.problem === "disk") return { outcome: "disk", evidence };
  return { outcome: "bootstrap_failed", cause: "config", evidence };
}
