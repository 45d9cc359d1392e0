import { LoopwrightError } from "@loopwright/protocol";

/** What stands behind `?`, read strictly: a number that isn't one is told, not guessed. */
export interface Query {
  text(name: string): string | undefined;
  /** Whole, at least `least`, cut to `most`. Throws BODY_INVALID. */
  number(name: string, fallback: number, range: { least: number; most: number }): number;
  optionalNumber(name: string): number | undefined;
  /** ISO time in milliseconds since the epoch. Throws BODY_INVALID. */
  time(name: string): number | undefined;
}

export function queryOf(url: string): Query {
  const at = url.indexOf("?");
  const parameters = new URLSearchParams(at === -1 ? "" : url.slice(at + 1));
  const text = (name: string): string | undefined => parameters.get(name) ?? undefined;
  const optionalNumber = (name: string): number | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    if (/^\d{1,15}$/.test(given)) return Number(given);
    throw refused(name, "a whole number");
  };
  return {
    text,
    optionalNumber,
    number(name, fallback, { least, most }) {
      const value = optionalNumber(name) ?? fallback;
      if (value < least) throw refused(name, `at least ${least}`);
      return Math.min(value, most);
    },
    time(name) {
      const given = text(name);
      if (given === undefined) return undefined;
      const value = /^\d{4}-\d\d-\d\d/.test(given) ? Date.parse(given) : NaN;
      if (Number.isNaN(value)) throw refused(name, "a time like 2026-01-31T08:00:00Z");
      return value;
    },
  };
}

function refused(name: string, what: string): LoopwrightError {
  return new LoopwrightError("QUERY_INVALID", `?${name}= has to be ${what}`);
}
