import { foldLine, type State } from "@loopwright/engine";
import type { JournalLine } from "@loopwright/protocol";
import { foldTrusted } from "../../control-plane/session/fold-trusted.ts";
import { readLinesAt } from "../../store/journal-range.ts";
import { type JournalTail, tailJournal } from "../../store/journal-tail.ts";

/** Where an iteration stands in its journal: positions among the lines in force, from 0. */
export interface IterationPlace {
  readonly assigned: number;
  /** Of the line with its result, or its abandonment; null while it runs. */
  readonly ended: number | null;
  /** Under the session directory. */
  readonly directory: string;
}

/**
 * A journal that is followed without being kept: the fold, and where lines are. Grows by a few bytes a line, so that a
 * session of 100,000 lines can be paged through.
 */
export interface JournalIndex {
  readonly path: string;
  /** Reads what is new; true when something came. Throws JOURNAL_DAMAGED. */
  poll(): boolean;
  /** Of the lines that were polled. */
  state(): State;
  /** Lines in force. */
  length(): number;
  /** `from` inclusive, `to` exclusive; positions beyond the ends are cut. */
  lines(from: number, to: number): JournalLine[];
  iteration(n: number): IterationPlace | undefined;
  /** Numbers, ascending. */
  iterations(): number[];
  /** Positions of lines with the result of a verification. */
  verifications(): readonly number[];
}

/** Reads the journal once. Throws JOURNAL_DAMAGED. */
export function openJournalIndex(path: string): JournalIndex {
  const tail: JournalTail = tailJournal(path);
  let state: State | undefined;
  let offsets: number[] = [];
  const iterations = new Map<number, IterationPlace>();
  let verifications: number[] = [];

  const note = (line: JournalLine, at: number): void => {
    for (const { type, data } of line.records) {
      if (type === "task_assigned")
        iterations.set(data.iteration, { assigned: at, ended: null, directory: data.directory });
      else if (type === "task_finished" || (type === "task_abandoned" && data.kind === "workflow"))
        end(data.iteration, at);
      else if (type === "task_withdrawn" && data.kind === "workflow")
        iterations.delete(data.iteration);
      else if (type === "verification_finished") verifications.push(at);
    }
  };
  const end = (iteration: number, at: number): void => {
    const place = iterations.get(iteration);
    if (place !== undefined) iterations.set(iteration, { ...place, ended: at });
  };

  const poll = (): boolean => {
    const news = tail.poll();
    const lines = news.lines as unknown as JournalLine[];
    if (news.restarted) {
      state = undefined;
      offsets = [];
      verifications = [];
      iterations.clear();
    }
    if (lines.length === 0) return news.restarted;
    const before = state;
    state =
      before === undefined
        ? foldTrusted(path, lines)
        : lines.reduce((folded, line) => foldLine(folded, line), before);
    for (const [at, line] of lines.entries()) {
      note(line, offsets.length);
      offsets.push(news.offsets[at] ?? 0);
    }
    return true;
  };

  poll();
  return {
    path,
    poll,
    state: () => state ?? foldTrusted(path, []),
    length: () => offsets.length,
    lines(from, to) {
      const [first, last] = [Math.max(0, from), Math.min(to, offsets.length)];
      if (first >= last) return [];
      return readLinesAt(
        path,
        offsets.slice(first, last),
        offsets[last],
      ) as unknown as JournalLine[];
    },
    iteration: (n) => iterations.get(n),
    iterations: () => [...iterations.keys()].sort((a, b) => a - b),
    verifications: () => verifications,
  };
}
