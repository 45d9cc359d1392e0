import { InvalidArgumentError } from "commander";

/** A whole number of at least `least`, as an option's value. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`Expected a whole number of at least ${least}.`);
  };
}

/** `+20` adds to a limit, `60` is its new value. */
export interface Raise {
  readonly add?: number;
  readonly to?: number;
}

export function raise(kind: "whole" | "money"): (text: string) => Raise {
  return (text) => {
    const match = /^(\+?)(\d+(?:\.\d+)?)$/.exec(text);
    const value = Number(match?.[2]);
    if (match === null || !(value > 0) || (kind === "whole" && !Number.isSafeInteger(value))) {
      throw new InvalidArgumentError(
        kind === "whole"
          ? "Expected a whole number, or + and a whole number."
          : "Expected an amount, or + and an amount.",
      );
    }
    return match[1] === "+" ? { add: value } : { to: value };
  };
}
