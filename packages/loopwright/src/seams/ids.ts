import { randomBytes } from "node:crypto";
import { monotonicFactory } from "ulid";
import { type Clock, systemClock } from "./clock.ts";

/** Unique, sortable names. Later ids sort after earlier ones of the same source, also within one millisecond. */
export interface Ids {
  /** 26 lower-case characters `[0-9a-z]`. */
  next(): string;
}

export function createIds(clock: Pick<Clock, "wall">, random: () => number = cryptoRandom): Ids {
  const ulid = monotonicFactory(random);
  return { next: () => ulid(clock.wall()).toLowerCase() };
}

export const systemIds: Ids = createIds(systemClock);

function cryptoRandom(): number {
  return randomBytes(4).readUInt32BE() / 2 ** 32;
}
