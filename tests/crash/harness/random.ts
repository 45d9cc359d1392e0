/** A repeatable source of choices: the same seed gives the same ones (mulberry32). */
export interface Random {
  /** From 0 to below `end`. */
  below(end: number): number;
  pick<T>(from: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    pick(from) {
      const found = from[below(from.length)];
      if (found === undefined) throw new Error("nothing to pick from");
      return found;
    },
  };
}
