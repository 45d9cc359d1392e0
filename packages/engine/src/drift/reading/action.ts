/** A word that counts, with what negates it. */
export interface Token {
  readonly text: string;
  readonly shown: string;
  /** The negators in front of it, as written. Their number is compared, not their words: `don't` is `do not`. */
  readonly negators: readonly string[];
  /** Its negator takes a gerund, so that `avoid deploying` may match `do not deploy`. */
  readonly gerund: boolean;
  /** What it isn't meant to be: `instead of postgres`. */
  readonly contrast: boolean;
  readonly unspaced: boolean;
  readonly exact: boolean;
  readonly group: number | null;
}

/** An action as it is compared: without prefixes, case, punctuation and fillers. */
export interface Action {
  readonly tokens: readonly Token[];
  /** Nothing is to be done now: it puts off what it asks, makes it depend on something else, or calls it closed. */
  readonly waits: boolean;
}
