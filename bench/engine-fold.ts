import { foldLine, type State } from "@loopwright/engine";
import { playSteadySession, type UnsealedLine } from "@loopwright/engine/testing";
import type { Measure } from "./harness/measure.ts";
import { median } from "./harness/statistics.ts";

const ITERATIONS = 21_000;
const WINDOW = 1000;
const ROUNDS = 7;

/** What one record costs to decide and to fold, early and late in a long session. */
export const engineFold: Measure = {
  name: "engine-fold",
  title: "The engine",
  async run() {
    const started = performance.now();
    const { lines } = playSteadySession(ITERATIONS);
    const decided = ((performance.now() - started) * 1000) / ITERATIONS;
    microsecondsPerRecord(lines, 0); // Warms up.
    const early = microsecondsPerRecord(lines, 1000);
    const late = microsecondsPerRecord(lines, 20_000);
    const peer = { name: "iteration 1,000", value: early };
    return [
      { what: "an iteration decided and folded, mean", value: decided, unit: "µs" },
      { what: "a record folded at iteration 20,000", value: late, unit: "µs", aim: "< 3 ×", peer },
    ];
  },
};

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
  return median(rounds);
}
