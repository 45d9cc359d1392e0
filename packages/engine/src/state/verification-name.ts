import type { State } from "./state.ts";

/** `evaluations/<NNNN>-<k>`: the k-th verification after iteration N. */
export function evaluationDirectory(iteration: number, number: number): string {
  return `evaluations/${String(iteration).padStart(4, "0")}-${number}`;
}

/** The name of the verification that would come now. Numbers of abandoned ones aren't used again. */
export function nextVerification(state: State): {
  iteration: number;
  number: number;
  directory: string;
} {
  const iteration = state.iterations;
  const number = state.numbering.iteration === iteration ? state.numbering.number + 1 : 1;
  return { iteration, number, directory: evaluationDirectory(iteration, number) };
}
