import type { JournalRecord } from "@loopwright/protocol";
import { fold } from "../state/fold.ts";
import { isTerminal, type State } from "../state/state.ts";
import { draftOf, type Draft, add } from "./draft.ts";
import { followUp } from "./follow-up.ts";
import type { Occurrence } from "./occurrence.ts";
import { recordAbandoned, recordWithdrawn } from "./record-lost.ts";
import { recordFinished } from "./record-finished.ts";
import { recordManual, recordVerified } from "./record-verified.ts";
import { recordPause, recordResume, recordStop } from "./record-request.ts";

/**
 * The records of the one journal line that an occurrence becomes, in their order; none when there is nothing to
 * record. Without `next` only what has happened is recorded, with the stop that follows from it; with `next` also the
 * task that follows, or the stop that comes before its launch. While the session is paused, held or waiting for a
 * retry no task follows; `waiting` says for what.
 *
 * A session that has ended takes nothing but `resume` with `reopen`, the bookkeeping of who runs it and, where it may be
 * reopened, other rules and checks to be reopened with, and what these checks find.
 */
export function react(state: State | null, occurrence: Occurrence): JournalRecord[] {
  if (state === null)
    return occurrence.kind === "started"
      ? [{ type: "session_started", data: occurrence.started }]
      : [];
  const draft = draftOf(state);
  if (isTerminal(state) && !isTakenAfterTheEnd(state, occurrence)) return [];
  record(draft, occurrence);
  return draft.records;
}

/** `react` and its fold in one step, for shells that keep no journal (simulations, what-if). */
export function step(
  state: State | null,
  occurrence: Occurrence,
  stamp: { seq: number; at: string; epoch: number },
): { state: State | null; records: JournalRecord[] } {
  const records = react(state, occurrence);
  return {
    records,
    state: records.reduce<State | null>((folded, each) => fold(folded, each, stamp), state),
  };
}

function isTakenAfterTheEnd({ status }: State, { kind }: Occurrence): boolean {
  return KEPT_AFTER_THE_END.has(kind) || (status !== "goal_met" && KEPT_FOR_REOPENING.has(kind));
}

const KEPT_AFTER_THE_END: ReadonlySet<Occurrence["kind"]> = new Set([
  "coordinator_started",
  "seated",
  "resume",
  "repaired",
  "noted",
]);

/** A changed check is seen failing by the manual verification that follows it; an answer is there when it goes on. */
const KEPT_FOR_REOPENING: ReadonlySet<Occurrence["kind"]> = new Set([
  "reload",
  "repin",
  "manual",
  "answered",
]);

function record(draft: Draft, occurrence: Occurrence): void {
  switch (occurrence.kind) {
    case "started":
      return;
    case "coordinator_started":
      return add(draft, "coordinator_started", occurrence.started);
    case "seated":
      add(draft, "worker_seated", occurrence.seated);
      if (occurrence.next !== undefined) followUp(draft, occurrence.next);
      return;
    case "next":
      return followUp(draft, occurrence.next);
    case "finished":
      return followUp(
        draft,
        occurrence.next,
        recordFinished(draft, occurrence.finished, occurrence.plan),
      );
    case "verified":
      return followUp(draft, occurrence.next, recordVerified(draft, occurrence.verified));
    case "abandoned":
      return followUp(draft, occurrence.next, recordAbandoned(draft, occurrence.abandoned));
    case "withdrawn":
      return followUp(draft, occurrence.next, recordWithdrawn(draft, occurrence.withdrawn));
    case "manual":
      return recordManual(draft, occurrence.manual);
    case "inputs":
      for (const input of occurrence.inputs)
        if (!draft.state.received.has(input.id)) add(draft, "input_received", input);
      return;
    case "answered":
      if (draft.state.questions.some((question) => question.id === occurrence.answered.id))
        add(draft, "question_answered", occurrence.answered);
      return;
    case "stop":
      return settle(draft, recordStop(draft, occurrence.stop));
    case "pause":
      return settle(draft, recordPause(draft, occurrence.pause));
    case "resume":
      return recordResume(draft, occurrence);
    case "reload":
      return settle(draft, add(draft, "configuration_reloaded", occurrence.reload));
    case "repin":
      return settle(draft, add(draft, "pins_changed", occurrence.repin));
    case "repaired":
      return add(draft, "journal_repaired", occurrence.repaired);
    case "noted":
      draft.records.push(occurrence.noted);
      if (occurrence.resolved !== undefined) add(draft, "drift_resolved", occurrence.resolved);
  }
}

/** A request may make a stop rule hold that didn't before. */
function settle(draft: Draft, _recorded: void): void {
  if (draft.records.length > 0) followUp(draft);
}
