import {
  AFTER_NE,
  AUXILIARIES,
  BEFORE_GERUND,
  CEASING,
  CONTRASTS,
  NEGATING_PHRASES,
  NEGATORS,
} from "../words/negators.ts";
import { phraseFinder } from "./phrases.ts";
import type { Word } from "./word.ts";

export interface Negation {
  /** Words it takes, from the position asked about. */
  readonly length: number;
  readonly gerund: boolean;
  readonly contrast: boolean;
}

const negatingPhrase = phraseFinder(NEGATING_PHRASES);
const contrastPhrase = phraseFinder(CONTRASTS);
/** How far a French `pas` may stand behind its `ne`. */
const NE_REACH = 5;

/** The negation that starts at a word, if one does. */
export function negationAt(words: readonly Word[], at: number): Negation | null {
  const contrast = contrastPhrase(words, at);
  if (contrast > 0) return { length: contrast, gerund: true, contrast: true };
  const phrase = negatingPhrase(words, at);
  if (phrase > 0) return { length: phrase, gerund: true, contrast: false };
  const word = words[at];
  if (word === undefined) return null;
  const gerundFollows = /.{2}ing$/u.test(words[at + 1]?.text ?? "");
  if (CEASING.has(word.text) && gerundFollows) return { length: 1, gerund: true, contrast: false };
  const gerund = gerundFollows && BEFORE_GERUND.has(word.text);
  return isNegator(word) ? { length: 1, gerund, contrast: false } : null;
}

/** The `do` of `do not`: it says nothing beside the `not`. */
export function carriesNot(words: readonly Word[], at: number): boolean {
  return AUXILIARIES.has(words[at]?.text ?? "") && words[at + 1]?.text === "not";
}

/** The `pas` of `ne … pas`, which negates nothing once more. */
export function closesNe(words: readonly Word[], at: number): boolean {
  if (!AFTER_NE.has(words[at]?.text ?? "")) return false;
  for (let before = at - 1; before >= Math.max(0, at - NE_REACH); before -= 1) {
    const text = words[before]?.text ?? "";
    if (text === "ne") return true;
    if (AFTER_NE.has(text)) return false;
  }
  return false;
}

function isNegator(word: Word): boolean {
  return word.kind === "negator" || (word.kind === "word" && NEGATORS.has(word.text));
}
