import { FILLERS } from "../words/fillers.ts";
import { AFTER_NEGATOR } from "../words/negators.ts";
import type { Action, Token } from "./action.ts";
import { clean } from "./clean.ts";
import { withoutLeadIn } from "./lead-in.ts";
import { carriesNot, closesNe, negationAt } from "./negation.ts";
import { skipPrefixes } from "./prefixes.ts";
import { splitWords } from "./split-words.ts";
import { waits } from "./waits.ts";
import type { Word } from "./word.ts";

/** Reads a text of any length in time proportional to it. No tokens: the text says nothing to do. */
export function readAction(text: string): Action {
  const cleaned = clean(text);
  const { start, tags } = skipPrefixes(cleaned);
  const spoken = withoutLeadIn(splitWords(cleaned.slice(start)));
  const words = [...spoken, ...tags.flatMap(splitWords)];
  const tokens = tokensOf(words, isFiller);
  return {
    tokens: tokens.length > 0 ? tokens : tokensOf(words, () => false),
    waits: waits(spoken),
  };
}

type IsFiller = (words: readonly Word[], at: number) => boolean;

function tokensOf(words: readonly Word[], filler: IsFiller): Token[] {
  const tokens: Token[] = [];
  let negators: string[] = [];
  let [gerund, contrast] = [false, false];
  const push = (word: Word): void => {
    const { text, shown, exact, group } = word;
    const unspaced = word.kind === "unspaced";
    tokens.push({ text, shown, negators, gerund, contrast, unspaced, exact, group });
    negators = [];
    [gerund, contrast] = [false, false];
  };
  for (let at = 0; at < words.length;) {
    const word = words[at];
    if (word === undefined) break;
    const negation = closesNe(words, at) ? null : negationAt(words, at);
    if (negation !== null) {
      negators.push(shownOf(words, carriesNot(words, at - 1) ? at - 1 : at, at + negation.length));
      gerund = negation.gerund;
      contrast = negation.contrast;
      at += negation.length;
      continue;
    }
    const silent =
      carriesNot(words, at) ||
      closesNe(words, at) ||
      filler(words, at) ||
      (negators.length > 0 && AFTER_NEGATOR.has(word.text));
    if (!silent) push(word);
    at += 1;
  }
  if (negators.length > 0) {
    push({ text: "", shown: "", kind: "negator", exact: false, group: null });
  }
  return tokens;
}

function isFiller(words: readonly Word[], at: number): boolean {
  const word = words[at];
  return word?.kind === "word" && word.group === null && FILLERS.has(word.text);
}

function shownOf(words: readonly Word[], from: number, to: number): string {
  const shown = words.slice(from, to).map((word) => word.shown);
  // `don't` was taken apart into two words that show the same.
  return shown.filter((word, at) => word !== shown[at - 1]).join(" ");
}
