import type { SchedulingRules, VerificationKind } from "@loopwright/protocol";
import { countersOf } from "../state/counters.ts";
import { withoutDiagnoses } from "../state/diagnoses.ts";
import type { State } from "../state/state.ts";
import { nextVerification } from "../state/verification-name.ts";
import { schedule } from "../schedule/schedule.ts";
import { type LimitStop, limitStop, timeStop } from "../stop/limits.ts";
import { noProgressStop } from "../stop/no-progress.ts";
import { nothingEligible } from "../stop/nothing-eligible.ts";
import { add, type Draft } from "./draft.ts";
import type { Next } from "./occurrence.ts";
import { stopSession } from "./stop-session.ts";
import type { Explanation } from "@loopwright/protocol";

/** Assigns what comes next, or stops by the rules that hold before a launch (6 to 8), or does nothing where it must wait. */
export function launch(draft: Draft, next: Next): void {
  const { state } = draft;
  if (state.paused !== null) return;
  const verification = verificationDue(state);
  if (verification !== null) return launchVerification(draft, next, verification);
  if (isAsked(state)) return;
  const choice = schedule(state.rules.workflows, state.workflows, state.iterations, next.facts);
  const workflow = choice.kind === "run" ? choice.workflow : null;
  const limit = limitStop(state, workflow?.id ?? null, next.facts);
  if (limit !== null) return stopAtLimit(draft, next, limit, choice.explanation);
  const stop =
    noProgressStop(state) ??
    (choice.kind === "none" ? nothingEligible(state, choice.explanation) : null);
  if (stop !== null)
    return stopSession(draft, stop.stop_reason, stop.detail, next.facts, {
      explanation: choice.explanation,
    });
  if (workflow !== null) assign(draft, next, workflow, choice.explanation);
}

/** The engine's own work, which comes before any workflow. */
export function verificationDue(state: State): VerificationKind | null {
  if (state.rules.gate.checks.length === 0) return null;
  if (state.baseline === "pending") return "baseline";
  if (state.claim !== null) return "claim";
  return state.advisory_due ? "advisory" : null;
}

/** A question that blocks holds every workflow until it is answered. */
export function isAsked(state: State): boolean {
  return state.questions.some((question) => question.blocking);
}

function launchVerification(
  draft: Draft,
  { attempt_id, facts }: Next,
  kind: VerificationKind,
): void {
  const limit = timeStop(draft.state);
  if (limit !== null) return stopAtLimit(draft, { attempt_id, facts }, limit, null);
  const { iteration, number, directory } = nextVerification(draft.state);
  add(draft, "verification_started", { kind, attempt_id, iteration, number, directory, facts });
}

function stopAtLimit(
  draft: Draft,
  { facts }: Next,
  limit: LimitStop,
  explanation: Explanation | null,
): void {
  add(draft, "limit_reached", limit.reached);
  stopSession(
    draft,
    limit.stop_reason,
    limit.detail,
    facts,
    explanation === null ? {} : { explanation },
  );
}

function assign(
  draft: Draft,
  { attempt_id, facts }: Next,
  workflow: SchedulingRules,
  explanation: Explanation,
): void {
  const { state } = draft;
  const iteration = state.iterations + 1;
  const inputs = state.inputs.map((input) => input.id);
  add(draft, "task_assigned", {
    workflow_id: workflow.id,
    iteration,
    attempt_id,
    directory: `iterations/${String(iteration).padStart(4, "0")}_${workflow.id}`,
    inputs,
    request: standingRequest(state, workflow, facts.requests),
    diagnosis: workflow.plans ? state.diagnosis : withoutDiagnoses(state.diagnosis, ["drift"]),
    facts,
    explanation,
  });
  if (inputs.length > 0) add(draft, "input_delivered", { ids: inputs, attempt_id, iteration });
}

/** The request that a success will consume. */
function standingRequest(
  state: State,
  workflow: SchedulingRules,
  requests: Readonly<Record<string, string>>,
): string | null {
  const request = requests[workflow.id];
  if (!workflow.run_when_requested || request === undefined) return null;
  return request === countersOf(state.workflows, workflow.id).consumed_request ? null : request;
}
