import type { JournalLine, JournalRecord } from "@loopwright/protocol";
import { foldLine } from "../state/fold.ts";
import type { State } from "../state/state.ts";
import { react } from "../transition/react.ts";
import { firstDifference } from "./first-difference.ts";
import { occurrenceOf } from "./occurrence-of.ts";

export interface Disagreement {
  readonly seq: number;
  /** The record in the line, from 0, where the two part; -1 for the line as a whole. */
  readonly index: number;
  readonly expected: JournalRecord | null;
  readonly found: JournalRecord | null;
  /** One sentence: which field, what stands there and what should. */
  readonly message: string;
}

export interface VerifiedLine {
  /** The fold of what was found, so that one disagreement doesn't spread over the rest. */
  readonly after: State;
  readonly disagreements: Disagreement[];
}

type Line = Pick<JournalLine, "seq" | "at" | "epoch" | "records">;

/** Decides a stored line again from the state before it and the facts that it holds. Every line kind. */
export function verifyLine(before: State | null, line: Line): VerifiedLine {
  const occurrence = occurrenceOf(line);
  const expected = occurrence === null ? [] : react(before, occurrence);
  return { after: foldLine(before, line), disagreements: compare(line, expected) };
}

function compare(line: Line, expected: readonly JournalRecord[]): Disagreement[] {
  const disagreements: Disagreement[] = [];
  for (let index = 0; index < Math.max(expected.length, line.records.length); index++) {
    const should = expected[index] ?? null;
    const does = line.records[index] ?? null;
    const message = difference(should, does);
    if (message !== null)
      disagreements.push({
        seq: line.seq,
        index,
        expected: should,
        found: does,
        message: `Record ${line.seq}.${index}: ${message}`,
      });
  }
  return disagreements;
}

function difference(expected: JournalRecord | null, found: JournalRecord | null): string | null {
  if (expected === null) return `${found?.type ?? "nothing"} does not follow from the facts.`;
  if (found === null) return `${expected.type} follows from the facts and is missing.`;
  if (expected.type !== found.type)
    return `${found.type} stands where ${expected.type} follows from the facts.`;
  const where = firstDifference(expected.data, found.data);
  return where === null
    ? null
    : `${found.type}.${where.path} is ${where.found} and should be ${where.expected}.`;
}
