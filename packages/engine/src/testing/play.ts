import type { JournalRecord, LiveTask } from "@loopwright/protocol";
import { foldLine } from "../state/fold.ts";
import type { State } from "../state/state.ts";
import type { Next, Occurrence } from "../transition/occurrence.ts";
import { react } from "../transition/react.ts";
import { attemptOf, factsOf } from "./fixtures.ts";

/** A journal line without its place in the hash chain, which the store gives it. */
export interface UnsealedLine {
  readonly seq: number;
  readonly at: string;
  readonly epoch: number;
  readonly records: JournalRecord[];
}

/** A session that plays in memory: feed it occurrences, look at its state and lines. */
export class Play {
  state: State | null = null;
  readonly lines: UnsealedLine[] = [];
  #attempts = 0;

  constructor(first: Occurrence) {
    this.feed(first);
  }

  /** Records of the line that came of it; empty if none did. */
  feed(occurrence: Occurrence): JournalRecord[] {
    const records = react(this.state, occurrence);
    if (records.length === 0) return records;
    const seq = this.lines.length;
    const line = { seq, at: timeOf(seq), epoch: this.state?.epoch ?? 0, records };
    this.lines.push(line);
    this.state = foldLine(this.state, line);
    return records;
  }

  next(facts: Partial<Next["facts"]> = {}): Next {
    this.#attempts++;
    return {
      attempt_id: attemptOf(this.#attempts),
      facts: factsOf({ now: timeOf(this.lines.length), ...facts }),
    };
  }

  get current(): State {
    if (this.state === null) throw new Error("the session has not started");
    return this.state;
  }

  get task(): LiveTask {
    if (this.current.task === null)
      throw new Error(`no task is live: ${this.current.stop_detail ?? this.current.status}`);
    return this.current.task;
  }
}

/** One second a line; hours, days and months are all the same to the engine. */
export function timeOf(seq: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = Math.floor(seq / 86_400) % 28;
  return `2026-${two((Math.floor(seq / 2_419_200) % 12) + 1)}-${two(day + 1)}T${two(Math.floor(seq / 3600) % 24)}:${two(Math.floor(seq / 60) % 60)}:${two(seq % 60)}.000Z`;
}
