import type { JournalLine } from "@loopwright/protocol";
import { describeRecord } from "../words/describe-record.ts";

/** One journal record as `/events` sends it, written out once for all who listen. */
export interface HubEvent {
  /** Counts from 1 since this program started. */
  readonly number: number;
  readonly goalId: string;
  readonly sessionId: string;
  readonly seq: number;
  readonly index: number;
  /** JSON. */
  readonly data: string;
}

/** There is something new to read. */
export type Listener = () => void;

/** Hands over what happens in the journals that a program follows, and remembers the last of it. */
export interface EventHub {
  /** `<instance>.<number>`: everything up to here is known. Valid over many goals. */
  cursor(): string;
  publish(goalId: string, sessionId: string, lines: readonly JournalLine[]): void;
  /** The number in a cursor; undefined: it is another program's, or what follows it is forgotten. */
  numberOf(cursor: string): number | undefined;
  /** The cursor of a number. */
  cursorOf(number: number): string;
  /** The event after this number; null: nothing yet. Undefined: it is forgotten. */
  after(number: number): HubEvent | null | undefined;
  listen(listener: Listener): () => void;
  listeners(): number;
  /** Called whenever somebody begins to listen. */
  onListener(begun: () => void): void;
}

/** Characters of JSON. */
const REMEMBERED = 8 * 1024 * 1024;

/** @param instance names this program's numbers; letters and digits */
export function createEventHub(instance: string): EventHub {
  let events: HubEvent[] = [];
  let size = 0;
  let number = 0;
  const listeners = new Set<Listener>();
  const beginnings: (() => void)[] = [];

  const oldest = (): number => events[0]?.number ?? number + 1;

  const forget = (): void => {
    if (size <= REMEMBERED) return;
    let drop = 0;
    while (size > REMEMBERED / 2 && drop < events.length) size -= events[drop++]?.data.length ?? 0;
    events = events.slice(drop);
  };

  return {
    cursor: () => `${instance}.${number}`,
    publish(goalId, sessionId, lines) {
      for (const line of lines)
        for (const event of eventsOf(goalId, sessionId, line)) {
          number += 1;
          const numbered = { ...event, number };
          events.push(numbered);
          size += event.data.length;
        }
      forget();
      for (const listener of listeners) listener();
    },
    numberOf(cursor) {
      const [of, at] = cursor.split(".");
      const from = Number(at);
      const isOurs = of === instance && Number.isSafeInteger(from) && from <= number;
      return isOurs && from + 1 >= oldest() ? from : undefined;
    },
    cursorOf: (at) => `${instance}.${at}`,
    after(at) {
      if (at >= number) return null;
      return events[at + 1 - oldest()];
    },
    listen(listener) {
      listeners.add(listener);
      for (const begun of beginnings) begun();
      return () => listeners.delete(listener);
    },
    listeners: () => listeners.size,
    onListener: (begun) => void beginnings.push(begun),
  };
}

export function eventsOf(
  goalId: string,
  sessionId: string,
  line: JournalLine,
): Omit<HubEvent, "number">[] {
  const { seq, at, epoch } = line;
  return line.records.map((record, index) => ({
    goalId,
    sessionId,
    seq,
    index,
    data: JSON.stringify({
      goal_id: goalId,
      session_id: sessionId,
      seq,
      index,
      at,
      epoch,
      type: record.type,
      text: describeRecord(record).text,
      data: record.data,
    }),
  }));
}
