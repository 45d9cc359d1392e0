import { InvalidArgumentError } from "commander";

/** A whole number of at least `least`, as an option's value. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`Expected a whole number of at least ${least}.`);
  };
}

/** `+20` adds to a limit, `60` is its new value. Times are in milliseconds. */
export interface Raise {
  readonly add?: number;
  readonly to?: number;
}

const KINDS = {
  whole: { units: { "": 1 }, expected: "a whole number such as 60, or +20 to add" },
  money: { units: { "": 1 }, expected: "an amount such as 10, or +2.50 to add" },
  time: {
    units: { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 },
    expected: "a time such as 90m or 8h, or +2h to add",
  },
} as const;

export function raise(kind: keyof typeof KINDS): (text: string) => Raise {
  const { units, expected }: { units: Readonly<Record<string, number>>; expected: string } =
    KINDS[kind];
  return (text) => {
    const match = /^(\+?)(\d+(?:\.\d+)?)([a-z]*)$/.exec(text);
    const exact = Number(match?.[2]) * (units[match?.[3] ?? ""] ?? Number.NaN);
    const value = kind === "time" ? Math.round(exact) : exact;
    if (!(value > 0) || (kind !== "money" && !Number.isSafeInteger(value))) {
      throw new InvalidArgumentError(`Expected ${expected}.`);
    }
    return match?.[1] === "+" ? { add: value } : { to: value };
  };
}
