import { isDrifted, type Occurrence, type State } from "@loopwright/engine";
import type { ResolveBody, RunRow } from "@loopwright/protocol";
import { digestOfText } from "../../control-plane/active-state/index.ts";
import { nextActionMismatch, recommendingRun } from "../../control-plane/drift/plan-drift.ts";
import { readRunIndex } from "../../control-plane/run-index/index.ts";
import type { GoalLayout } from "../../store/layout.ts";
import { appendRow } from "../../store/line-file.ts";
import type { Seams } from "../seams.ts";
import { moveTo } from "./plan-facts.ts";
import { lookAtState } from "./state-now.ts";

const KIND = "next_action_projection_mismatch";

/** What a person's decision about the next action comes to. */
export interface Settlement {
  /** For the journal; undefined when nothing was to be settled. */
  readonly occurrence: Extract<Occurrence, { kind: "noted" }> | undefined;
  /** What the next action is then. */
  readonly nextAction: string | null;
}

export interface SettleOptions {
  readonly goalId: string;
  readonly body: Pick<ResolveBody, "take" | "next_action" | "note" | "by">;
  readonly at: string;
}

/**
 * Decides from the goal's files and the session's state. Without `next_action`, nothing is settled where next action and
 * recommendation agree. A session that there isn't has no unsettled drift.
 */
export function settle(
  goal: GoalLayout,
  state: Pick<State, "diagnosis" | "iterations"> | undefined,
  { goalId, body, at }: SettleOptions,
): Settlement {
  const now = lookAtState(goal.activeState) ?? EMPTY;
  const nextAction = now.nextActions[0]?.text ?? null;
  const drifted = state !== undefined && isDrifted(state);
  const recommending = recommendingRun(readRunIndex(goal.runs).rows);
  const disagrees = nextActionMismatch(goalId, nextAction, recommending) !== null || drifted;
  const { take, by, note } = body;
  const wanted =
    body.next_action ?? (take === "run" ? recommending?.recommended_action : undefined);
  const resolved = { kind: KIND, take, by, ...(note === undefined ? {} : { note }) };
  if (body.next_action === undefined && !disagrees) return { occurrence: undefined, nextAction };
  const move =
    wanted === undefined
      ? undefined
      : moveTo(now, wanted, { iteration: state?.iterations ?? 0, by, at });
  const moves = move !== undefined && move.text !== "" && move.text !== nextAction;
  if (!moves) {
    const noted = { type: "drift_resolved" as const, data: resolved };
    return { nextAction, occurrence: disagrees ? { kind: "noted", noted } : undefined };
  }
  return {
    nextAction: move.text,
    occurrence: {
      kind: "noted",
      noted: { type: "next_action_moved", data: move },
      ...(disagrees ? { resolved } : {}),
    },
  };
}

/** Appends the run that a decision is, when it is carried out. Throws what the disk says. */
export function appendDecision(
  { disk, ids }: Pick<Seams, "disk" | "ids">,
  goal: GoalLayout,
  body: SettleOptions["body"],
  at: string,
): void {
  const now = lookAtState(goal.activeState);
  const nextAction = now?.nextActions[0]?.text;
  const row: RunRow = {
    run_id: ids.next(),
    generated_at: at,
    kind: "decision",
    classification: body.next_action === undefined ? `took_${body.take}` : "moved",
    ...(nextAction === undefined
      ? {}
      : { recommended_action: nextAction, next_action_digest: digestOfText(nextAction) }),
    recommended_action_source: nextAction === undefined ? "none" : "next_action",
    state_digest: now?.digest ?? "",
    ...(body.note === undefined ? {} : { note: body.note }),
    path: "",
  };
  appendRow(disk, goal.runs, row);
}

const EMPTY = { text: "", digest: null, nextActions: [] };
