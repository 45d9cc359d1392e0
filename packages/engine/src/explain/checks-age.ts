import type { StateFile } from "@loopwright/protocol";

/** What of a state says how old the last receipt is. */
type Checked = Pick<StateFile, "iterations" | "last"> & {
  readonly gate: Pick<StateFile["gate"], "last">;
};

/**
 * When the checks last ran, for wherever their results are shown: `after iteration 3`, or `at the baseline, before
 * iteration 1; not run since` where iterations were done since. Null: they never ran.
 */
export function checksAge({ gate: { last: checked }, iterations, last }: Checked): string | null {
  if (checked === null) return null;
  const ran = iterationOf(checked.directory) ?? iterations;
  const when =
    checked.kind === "baseline"
      ? `at the baseline, before iteration ${ran + 1}`
      : ran === 0
        ? "before iteration 1"
        : `after iteration ${ran}`;
  if (iterations <= ran) return when;
  const same = last !== null && last.tree_digest === checked.receipt.tree_digest;
  return `${when}; not run since${same ? ", and the tree is the same" : ""}`;
}

/** After which iteration a verification ran, by its directory: `evaluations/0003-1`. */
export function iterationOf(directory: string): number | undefined {
  const digits = /(\d+)-\d+$/.exec(directory)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
