/** A word of an action before it is known what it does in the sentence. */
export interface Word {
  /** Folded: what is compared. */
  readonly text: string;
  /** As it was written: what is shown. */
  readonly shown: string;
  /** `unspaced`: one character of a script without spaces. `negator`: negates what follows, whatever list it is in. */
  readonly kind: "word" | "unspaced" | "negator";
  /** It names one thing exactly: a number, a path, an identifier, something quoted. */
  readonly exact: boolean;
  /** Number of the quotation of several words that it belongs to. */
  readonly group: number | null;
}
