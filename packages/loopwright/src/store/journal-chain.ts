import type { JournalLine } from "./journal-line.ts";

/** The last line in force: what the next one has to name. */
export interface Tip {
  readonly seq: number;
  readonly epoch: number;
  readonly sum: string;
}

/** What one more line does to the lines in force. */
export type ChainVerdict =
  | { readonly kind: "in_force" }
  /** A holder that had already been replaced wrote it. */
  | { readonly kind: "ignored" }
  /** It is in force, and the last `count` lines no longer are: they were written after its writer had folded. */
  | { readonly kind: "withdraws"; readonly count: number }
  /** It names a line that isn't among `lines`. */
  | { readonly kind: "unconnected" }
  | { readonly kind: "damaged"; readonly reason: string };

export const NO_LINES: Tip = { seq: 0, epoch: 0, sum: "" };

/**
 * Which lines of a journal are in force, decided in file order. `lines` are those so far, `tip` the last of them (they
 * may start anywhere: a follower knows no earlier ones).
 *
 * A replaced holder may wake up and append. Its lines stand after the new epoch's first line (an older epoch: ignored),
 * or before it but after the new holder folded: then that first line's `prev` reaches back over them.
 */
export function judgeLine(
  lines: readonly JournalLine[],
  tip: Tip,
  line: JournalLine,
): ChainVerdict {
  if (line.epoch < tip.epoch) return { kind: "ignored" };
  if (line.prev === tip.sum) {
    if (line.seq === tip.seq + 1) return { kind: "in_force" };
    return { kind: "damaged", reason: `has number ${line.seq} where ${tip.seq + 1} is due` };
  }
  if (line.epoch === tip.epoch) {
    return { kind: "damaged", reason: "does not continue the line before it" };
  }
  const folded = lines.findLastIndex((earlier) => earlier.sum === line.prev);
  if (folded === -1) return { kind: "unconnected" };
  const due = (lines[folded]?.seq ?? 0) + 1;
  if (line.seq !== due) {
    return { kind: "damaged", reason: `has number ${line.seq} where ${due} is due` };
  }
  return { kind: "withdraws", count: lines.length - 1 - folded };
}
