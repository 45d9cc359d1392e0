import type { Finished, State } from "@loopwright/engine";
import type {
  AgentDocument,
  Control,
  FinishedVerification,
  RecordData,
  Result,
} from "@loopwright/protocol";
import { receiptFlaw, receiptSummary } from "./receipts.ts";

export interface Judged {
  readonly resultSha256: string;
  /** Monotonic milliseconds that the task was live. */
  readonly liveMs: number;
  /** Read by recovery from a stored `result.json`. */
  readonly recovered: boolean;
  /** What stands in the session's own `control.json`; counts when the attempt left none itself. */
  readonly switched: AgentDocument<Control>;
}

/** A finished iteration as the engine judges it: what the worker reported, cut to what the journal keeps. */
export function finishedOf(result: Result, judged: Judged): Finished {
  const { cause, evidence } = result;
  return {
    workflow_id: result.workflow_id,
    iteration: result.iteration,
    attempt_id: result.attempt_id,
    result_sha256: judged.resultSha256,
    outcome: result.outcome,
    ...(cause === undefined ? {} : { cause }),
    ...(evidence === undefined ? {} : { evidence }),
    orderly: result.orderly,
    started: result.started,
    denials: result.denials,
    agent: result.agent,
    agent_session_id: result.agent_session_id,
    exit: result.exit,
    usage: result.usage,
    cost_usd: result.cost_usd,
    reset_at: result.reset_at,
    duration_ms: result.duration_ms,
    live_ms: judged.liveMs,
    report: result.report,
    goal_check: result.goal_check,
    control: result.control.state === "absent" ? judged.switched : result.control,
    changes: result.changes,
    leftovers: result.leftovers,
    recovered: judged.recovered,
  };
}

type VerificationTask = Extract<NonNullable<State["task"]>, { kind: "verification" }>;

/** A finished verification. A receipt that can't be one of the pinned checks counts as none, which is an error. */
export function verifiedOf(
  state: State,
  task: VerificationTask,
  found: Pick<FinishedVerification, "receipt" | "problem">,
  judged: Pick<Judged, "liveMs" | "recovered">,
): RecordData<"verification_finished"> {
  const flaw =
    found.receipt === null ? undefined : receiptFlaw(state, found.receipt, task.attempt_id);
  const receipt =
    found.receipt === null || flaw !== undefined ? null : receiptSummary(found.receipt);
  const problem = flaw ?? found.problem;
  return {
    kind: task.verification,
    attempt_id: task.attempt_id,
    iteration: task.iteration,
    number: task.number,
    receipt,
    ...(problem === undefined ? {} : { problem }),
    live_ms: judged.liveMs,
    cost_usd: null,
    recovered: judged.recovered,
  };
}
