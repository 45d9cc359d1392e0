import type { JournalLine } from "@loopwright/protocol";
import type { SessionRecord } from "../session/open-record.ts";
import { describeRecord, type Weight } from "../words/describe-record.ts";

export interface TimelineEntry {
  /** `seq.index` of its record. */
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly weight: Weight;
  readonly iteration: number | null;
  /** A finished sentence. */
  readonly text: string;
  readonly below: readonly string[];
}

/** What happened, newest first. `next`: the `before` of the page with what is older; null at the beginning. */
export function timelineView(
  { id, journal }: SessionRecord,
  page: { readonly before: number | undefined; readonly limit: number; readonly all: boolean },
): object {
  const entries: TimelineEntry[] = [];
  const first = journal.lines(0, 1)[0]?.seq ?? 0;
  let end = page.before === undefined ? journal.length() : page.before - first;
  while (end > 0 && entries.length < page.limit) {
    const begin = Math.max(0, end - CHUNK);
    const lines = journal.lines(begin, end);
    end = begin;
    for (const [at, line] of lines.toReversed().entries()) {
      // A line's records stay together, so that `before` may name a line.
      entries.push(...entriesOf(line).filter(({ weight }) => page.all || weight === "main"));
      if (entries.length < page.limit) continue;
      end = begin + lines.length - 1 - at;
      break;
    }
  }
  return {
    schema_version: 1,
    session_id: id,
    seq: journal.state().seq,
    entries,
    next: end <= 0 ? null : first + end,
  };
}

const CHUNK = 64;

/** Newest first, too. */
function entriesOf({ seq, at, records }: JournalLine): TimelineEntry[] {
  return records
    .map((record, index) => {
      const { weight, text, below = [] } = describeRecord(record);
      const { data } = record;
      const iteration = "iteration" in data ? data.iteration : null;
      return { id: `${seq}.${index}`, at, type: record.type, weight, iteration, text, below };
    })
    .toReversed();
}
