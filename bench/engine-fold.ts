/**
 * What one record costs to decide and to fold, early and late in a long session. Nothing may grow with history: the
 * ratio between 20,000 and 1,000 iterations should stay under 3.
 *
 *   node --conditions=loopwright-source bench/engine-fold.ts
 */
import { foldLine, type State } from "@loopwright/engine";
import { playSteadySession, type UnsealedLine } from "@loopwright/engine/testing";

const ITERATIONS = 21_000;
const WINDOW = 1000;
const ROUNDS = 7;

const started = performance.now();
const { lines } = playSteadySession(ITERATIONS);
const decided = performance.now() - started;

const bytes = Buffer.byteLength(lines.map((line) => JSON.stringify(line)).join("\n"));
microsecondsPerRecord(lines, 0); // Warms up.
const early = microsecondsPerRecord(lines, 1000);
const late = microsecondsPerRecord(lines, 20_000);

process.stdout.write(
  `${[
    `${ITERATIONS} iterations decided in ${decided.toFixed(0)} ms, ${((decided * 1000) / ITERATIONS).toFixed(1)} µs each, ${Math.round(bytes / ITERATIONS)} bytes of journal each`,
    `fold at iteration  1,000: ${early.toFixed(2)} µs a record`,
    `fold at iteration 20,000: ${late.toFixed(2)} µs a record`,
    `ratio: ${(late / early).toFixed(2)} (aim: under 3)`,
  ].join("\n")}\n`,
);
if (late / early >= 3) process.exitCode = 1;

/** Median over rounds of folding the same thousand lines from the state before them. */
function microsecondsPerRecord(all: readonly UnsealedLine[], from: number): number {
  let before: State | null = null;
  for (const line of all.slice(0, from)) before = foldLine(before, line);
  const window = all.slice(from, from + WINDOW);
  const records = window.reduce((sum, line) => sum + line.records.length, 0);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    window.reduce<State | null>((state, line) => foldLine(state, line), before);
    return ((performance.now() - start) * 1000) / records;
  });
  return rounds.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}
