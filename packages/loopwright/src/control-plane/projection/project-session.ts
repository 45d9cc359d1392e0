import { type State, waiting } from "@loopwright/engine";
import type {
  DecisionFacts,
  JournalLine,
  ProjectedSession,
  SessionFile,
  StateFile,
  Trouble,
} from "@loopwright/protocol";
import { agentNameOf } from "../session/holds.ts";
import { createNotes, type SessionNotes } from "../session/notes.ts";

export interface SessionFacts {
  readonly state: State;
  readonly file: SessionFile;
  readonly notes: SessionNotes;
  readonly facts: DecisionFacts;
  /** What its coordinator knows and no file says. */
  readonly troubles: readonly Trouble[];
}

/** What a projection keeps of a session. Pure. */
export function projectSession(from: SessionFacts): ProjectedSession {
  const { state, file, notes, facts, troubles } = from;
  const wait = waiting(state, facts);
  return {
    ...pick(state),
    title: file.title,
    repository: file.repository,
    gate: { last: state.gate.last },
    inputs: state.inputs.map((input) => ({ ...input, text: input.text.slice(0, TEXT_LIMIT) })),
    questions: state.questions.map((question) => ({
      ...question,
      since: notes.askedAt(question.id) ?? state.updated_at,
    })),
    benched: Object.entries(state.workflows)
      .filter(([, { benched }]) => benched)
      .map(([id]) => ({ workflow_id: id, since: notes.benchedAt(id) ?? state.updated_at })),
    hold_until: wait?.for === "hold" ? (wait.until ?? null) : null,
    left: notes.left(),
    troubles: [...troubles],
  };
}

/** The same from the lines that `state` is the fold of. `now`: wall milliseconds. */
export function projectLines(
  { state, file, troubles }: Pick<SessionFacts, "state" | "file" | "troubles">,
  lines: Iterable<JournalLine>,
  now: number,
): ProjectedSession {
  const notes = createNotes();
  for (const line of lines) notes.apply(line);
  return projectSession({
    state,
    file,
    notes,
    facts: factsOfNotes(state, file, notes, now),
    troubles,
  });
}

/** The holds of a session's workflows, as its journal alone tells them; requests aren't looked for. */
function factsOfNotes(
  state: State,
  file: SessionFile,
  notes: SessionNotes,
  now: number,
): DecisionFacts {
  const holds: Record<string, string> = {};
  for (const { id } of state.rules.workflows) {
    const until = notes.holds.until(agentNameOf(file, id), now);
    if (until !== undefined) holds[id] = new Date(until).toISOString();
  }
  return { now: new Date(now).toISOString(), requests: {}, holds };
}

const TEXT_LIMIT = 2000;

const FIELDS = [
  "session_id",
  "seq",
  "epoch",
  "updated_at",
  "started_at",
  "workflow_set",
  "status",
  "stop_reason",
  "stop_detail",
  "verified",
  "paused",
  "stop_requested",
  "iterations",
  "limits",
  "spent",
  "task",
  "seat",
  "claim",
  "last",
] as const satisfies readonly (keyof StateFile & keyof ProjectedSession)[];

function pick(state: State): Pick<ProjectedSession, (typeof FIELDS)[number]> {
  const fields = Object.fromEntries(FIELDS.map((field) => [field, state[field]]));
  return fields as Pick<ProjectedSession, (typeof FIELDS)[number]>;
}
