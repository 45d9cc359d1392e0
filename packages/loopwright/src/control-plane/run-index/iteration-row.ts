import type { JournalLine, JournalRecord, RunRow } from "@loopwright/protocol";
import { digestOfText } from "../active-state/parse-active-state.ts";

/** Whose iterations they are. */
export interface IndexedSession {
  readonly sessionId: string;
  /** The session's directory, relative to the goal's. */
  readonly directory: string;
  /** Ids of the workflows that plan. */
  readonly planning: ReadonlySet<string>;
}

/** `ACTIVE_STATE.md` as it stands. */
export interface StateSeen {
  readonly digest: string;
  readonly nextAction: string | undefined;
}

/**
 * The rows of the iterations that end in a journal line: the same ids whenever they are made.
 * @param seen the active state then; undefined when that isn't known any more
 */
export function iterationRows(
  { at, records }: Pick<JournalLine, "at" | "records">,
  session: IndexedSession,
  seen: StateSeen | undefined,
): RunRow[] {
  const moved = records.find((record) => record.type === "next_action_moved")?.data;
  const state = moved === undefined ? seen : { digest: moved.to_sha256, nextAction: moved.text };
  return records.flatMap((record) => rowOf(record, at, session, state) ?? []);
}

function rowOf(
  record: JournalRecord,
  at: string,
  { sessionId, directory, planning }: IndexedSession,
  state: StateSeen | undefined,
): RunRow | undefined {
  const ended = endOf(record);
  if (ended === undefined) return undefined;
  const { iteration, workflow_id, classification, action } = ended;
  const number = String(iteration).padStart(4, "0");
  return {
    run_id: `${sessionId}-${number}`,
    generated_at: at,
    kind: "iteration",
    session_id: sessionId,
    iteration,
    workflow_id,
    plans: planning.has(workflow_id),
    classification,
    ...(action === undefined ? {} : { recommended_action: action }),
    recommended_action_source: action === undefined ? "none" : "report",
    state_digest: state?.digest ?? "",
    ...(state?.nextAction === undefined
      ? {}
      : { next_action_digest: digestOfText(state.nextAction) }),
    path: `${directory}/iterations/${number}_${workflow_id}`,
  };
}

function endOf({ type, data }: JournalRecord) {
  if (type === "task_finished") {
    const { report } = data;
    return {
      iteration: data.iteration,
      workflow_id: data.workflow_id,
      classification: data.succeeded
        ? "succeeded"
        : data.outcome === "ok"
          ? "failed"
          : data.outcome,
      action: report.state === "valid" ? report.value.recommended_action : undefined,
    };
  }
  if (type !== "task_abandoned" || data.workflow_id === null) return undefined;
  const { iteration, workflow_id } = data;
  return { iteration, workflow_id, classification: "abandoned", action: undefined };
}
