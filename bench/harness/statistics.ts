/** NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** What lies between each and the next. */
export function steps(values: readonly number[]): number[] {
  return values.slice(1).map((value, index) => value - (values[index] ?? NaN));
}
