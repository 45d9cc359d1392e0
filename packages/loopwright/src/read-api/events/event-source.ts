import { LoopwrightError } from "@loopwright/protocol";
import type { SessionRecord } from "../session/open-record.ts";
import { type EventHub, eventsOf, type HubEvent } from "./event-hub.ts";

export interface NamedEvent {
  readonly id: string;
  /** JSON. */
  readonly data: string;
}

/** Events in order, from where one client is. */
export interface EventSource {
  /** Reads on, where that isn't somebody else's work. */
  look(): void;
  /** Null: nothing yet. Undefined: what comes next is forgotten, so the client has to come again. */
  next(): NamedEvent | null | undefined;
}

/** Over all goals, or one of them. Begins after `number`. */
export function hubSource(hub: EventHub, number: number, goalId: string | undefined): EventSource {
  let at = number;
  return {
    look: () => undefined,
    next() {
      for (;;) {
        const event = hub.after(at);
        if (event === null || event === undefined) return event;
        at = event.number;
        if (goalId === undefined || event.goalId === goalId)
          return { id: hub.cursorOf(event.number), data: event.data };
      }
    },
  };
}

const PAGE = 100;

/** Of one session, named `seq.index`, which stays true whatever serves it. Without `after`: from now on. */
export function sessionSource(
  { id, goalId, journal }: SessionRecord,
  after: string | undefined,
): EventSource {
  let [seq, index] = after === undefined ? [journal.state().seq, Infinity] : placeOf(after);
  let page: Omit<HubEvent, "number">[] = [];
  const turn = (): void => {
    const first = journal.lines(0, 1)[0]?.seq ?? 0;
    const from = Math.max(0, seq - first);
    page = journal
      .lines(from, from + PAGE)
      .flatMap((line) => eventsOf(goalId, id, line))
      .filter((event) => event.seq > seq || (event.seq === seq && event.index > index));
  };
  return {
    look: () => void journal.poll(),
    next() {
      if (page.length === 0 && (journal.state().seq > seq || index !== Infinity)) turn();
      const event = page.shift();
      if (event === undefined) {
        index = Infinity;
        return null;
      }
      [seq, index] = [event.seq, event.index];
      return { id: `${seq}.${index}`, data: event.data };
    },
  };
}

function placeOf(after: string): [seq: number, index: number] {
  const match = /^(\d{1,9})(?:\.(\d{1,3}))?$/.exec(after);
  if (match === null)
    throw new LoopwrightError("QUERY_INVALID", "A session's events are named `seq.index`");
  return [Number(match[1]), match[2] === undefined ? Infinity : Number(match[2])];
}
