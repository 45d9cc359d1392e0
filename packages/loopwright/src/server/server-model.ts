import { statSync } from "node:fs";
import type { AttentionItem, StatusDocument } from "@loopwright/protocol";
import { attentionOverGoals } from "../control-plane/projection/index.ts";
import { createEventHub, type EventHub } from "../read-api/events/event-hub.ts";
import { type ReadModel, sessionSummary, type SessionView, totalsOf } from "../read-api/model.ts";
import type { SessionRecord } from "../read-api/session/open-record.ts";
import { timestamp } from "../seams/clock.ts";
import { listSessions } from "../store/session-lookup.ts";
import { type BookOptions, type GoalBook, openGoalBook } from "./goal-book.ts";
import type { GoalEntry } from "./goal-entry.ts";
import { readSeen } from "./seen.ts";
import { createSessionShelf, type SessionShelf } from "./session-shelf.ts";

export interface ServerModelOptions extends Omit<BookOptions, "onChange"> {
  readonly version: string;
  /** Names this program's event cursors. */
  readonly instance: string;
  readonly machine?: (() => Promise<object>) | undefined;
}

export interface ServerModel extends ReadModel {
  entry(goalId: string): GoalEntry | undefined;
}

const LISTENING_LOOK_MS = 500;
/** Sessions listed for a goal, the newest. */
const SESSIONS_SHOWN = 200;

/** All goals of a registry, for the routes. */
export function openServerModel(options: ServerModelOptions): ServerModel {
  const { version, registryPath, runtimeRoot, seams, onProblem, machine } = options;
  const hub = createEventHub(options.instance);
  const shelf = createSessionShelf();
  const book = openGoalBook({
    ...options,
    onChange: (after, before) => publish(hub, shelf, after, before, onProblem),
  });
  lookWhileListening(book, hub, options);
  const attention = kept(book, () =>
    attentionOverGoals(book.entries().map(({ projection }) => projection.attention)),
  );
  const totals = kept(book, () =>
    totalsOf(
      book.entries().map(({ status }) => status),
      attention(),
    ),
  );
  const status = kept(book, (): StatusDocument => ({
    schema_version: 1,
    generated_at: timestamp(seams.clock),
    registry: registryPath,
    runtime_root: runtimeRoot,
    goals: book.entries().map((entry) => entry.status),
    cursor: hub.cursor(),
    totals: totals(),
  }));
  const record = (id: string, goalId?: string) => {
    const entry = goalId === undefined ? ownerOf(book, id) : book.entry(goalId);
    if (entry === undefined) return undefined;
    const found = shelf.take(entry.goal.id, entry.layout, id);
    return found && { record: found, goal: entry.layout };
  };

  return {
    version,
    hub,
    refresh: () => book.refresh(),
    status,
    goal: (id) => goalAnswer(book.entry(id)),
    attention,
    totals,
    entry: (id) => book.entry(id),
    session(id, goalId) {
      const found = record(id, goalId);
      return found && sessionView(found.record, book.entry(found.record.goalId));
    },
    record,
    recordsSince: (from) => recordsSince(book, shelf, from),
    seen: () => readSeen(runtimeRoot),
    ...(machine === undefined ? {} : { machine }),
  };
}

/** The same object until the book changes. */
function kept<T>(book: GoalBook, make: () => T): () => T {
  let made: { readonly version: number; readonly value: T } | undefined;
  return () => {
    if (made?.version !== book.version()) made = { version: book.version(), value: make() };
    return made.value;
  };
}

function goalAnswer(entry: GoalEntry | undefined): ReturnType<ReadModel["goal"]> {
  if (entry === undefined) return undefined;
  const { goal, layout, projection, status } = entry;
  const { derived_from: _, attention, ...rest } = projection;
  return {
    ...rest,
    schema_version: 1,
    status,
    title: goal.title === "" ? (projection.session?.title ?? "") : goal.title,
    repo: goal.repo,
    next_action: projection.active_state?.next_action ?? null,
    attention,
    sessions: listSessions(layout.sessions).slice(-SESSIONS_SHOWN).toReversed(),
  };
}

function sessionView(record: SessionRecord, entry: GoalEntry | undefined): SessionView {
  const state = record.state();
  const newest = entry?.projection.session?.session_id === record.id ? entry.projection : undefined;
  return {
    schema_version: 1,
    phase: newest?.phase ?? (state.status === "running" ? "interrupted" : "ended"),
    state,
    session: sessionSummary(record.file()),
    attention: newest?.attention ?? ([] as AttentionItem[]),
  };
}

/** The goal that has a session of this id; of two, the first of the registry. */
function ownerOf(book: GoalBook, sessionId: string): GoalEntry | undefined {
  const entries = book.entries();
  return (
    entries.find(({ projection }) => projection.session?.session_id === sessionId) ??
    entries.find(
      ({ layout }) =>
        statSync(layout.session(sessionId).journal, { throwIfNoEntry: false }) !== undefined,
    )
  );
}

function recordsSince(book: GoalBook, shelf: SessionShelf, from: number): SessionRecord[] {
  return book.entries().flatMap(({ goal, layout }) => {
    const records: SessionRecord[] = [];
    for (const id of listSessions(layout.sessions).toReversed()) {
      const found = statSync(layout.session(id).journal, { throwIfNoEntry: false });
      if (found === undefined) continue;
      if (found.mtimeMs < from) break;
      const record = shelf.take(goal.id, layout, id);
      if (record !== undefined) records.push(record);
    }
    return records;
  });
}

/** In the moment in which a goal's row changes, so that a cursor and the rows that it comes with agree. */
function publish(
  hub: EventHub,
  shelf: SessionShelf,
  after: GoalEntry | undefined,
  before: GoalEntry | undefined,
  onProblem: (error: unknown) => void,
): void {
  const [now, known] = [after?.projection.session, before?.projection.session];
  if (after === undefined || before === undefined || !now) return;
  const from = known?.session_id === now.session_id ? known.seq + 1 : 0;
  if (from > now.seq) return;
  try {
    const journal = shelf.take(after.goal.id, after.layout, now.session_id)?.journal;
    const first = journal?.lines(0, 1)[0]?.seq ?? 0;
    const lines = journal?.lines(from - first, now.seq + 1 - first) ?? [];
    hub.publish(after.goal.id, now.session_id, lines);
  } catch (error) {
    onProblem(error);
  }
}

function lookWhileListening(
  book: GoalBook,
  hub: EventHub,
  { seams, onProblem }: ServerModelOptions,
): void {
  let looking = false;
  hub.onListener(() => {
    if (looking) return;
    looking = true;
    const look = async (): Promise<void> => {
      while (hub.listeners() > 0) {
        await book.refresh();
        await seams.clock.sleep(LISTENING_LOOK_MS);
      }
    };
    look()
      .catch(onProblem)
      .finally(() => {
        looking = false;
      });
  });
}
