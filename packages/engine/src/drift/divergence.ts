import type { ActionDivergence } from "@loopwright/protocol";
import { haveOpposites } from "./opposite.ts";
import type { Action, Token } from "./reading/action.ts";
import { ARTICLES } from "./words/fillers.ts";
import { CONJUNCTIONS, PARTICLES, RELATIONS } from "./words/relations.ts";
import { stem } from "./words/stem.ts";

/** Why two texts are not aligned; finer than the divergence, for the sentence that explains it. */
export type Cause =
  | "negation"
  | "opposite"
  | "order"
  | "target"
  | "action"
  | "waiting"
  | "addition"
  | "unrelated";

export const DIVERGENCE_OF: Readonly<Record<Cause, ActionDivergence>> = {
  negation: "negated",
  opposite: "negated",
  order: "different_target",
  target: "different_target",
  action: "different_action",
  addition: "different_action",
  waiting: "different_action",
  unrelated: "unrelated",
};

/** Looks only at texts that were found not to be aligned. */
export function causeOf(a: Action, b: Action): Cause {
  const overlap = overlapOf(a, b);
  const related = overlap >= 1 / 2;
  if (related && polarityDiffers(a, b)) return "negation";
  if ((related || overlap === 0) && haveOpposites(a, b) && isShortOrRelated(a, b, overlap)) {
    return "opposite";
  }
  if (a.waits !== b.waits) return "waiting";
  if (overlap === 0) return "unrelated";
  if (sameBag(a, b)) return "order";
  if (startsAlike(a, b)) return "target";
  if (overlap === 1) return "addition";
  return related ? "action" : "unrelated";
}

/** Share of the words that the text with fewer of them has in common with the other, whatever negates them. */
function overlapOf(a: Action, b: Action): number {
  const [inA, inB] = [contentOf(a), contentOf(b)];
  const shared = Array.from(inA).filter((word) => inB.has(word)).length;
  return shared / Math.max(1, Math.min(inA.size, inB.size));
}

/** A single verb and its opposite have no word in common, and are still about the same. */
function isShortOrRelated(a: Action, b: Action, overlap: number): boolean {
  return overlap > 0 || Math.min(a.tokens.length, b.tokens.length) === 1;
}

function polarityDiffers(a: Action, b: Action): boolean {
  const count = ({ tokens }: Action): number =>
    tokens.reduce((sum, { negators }) => sum + negators.length, 0);
  if (count(a) !== count(b)) return true;
  const negatedIn = ({ tokens }: Action): Set<string> =>
    new Set(tokens.filter(({ negators }) => negators.length > 0).map(({ text }) => stem(text)));
  const [negatedA, negatedB, inA, inB] = [negatedIn(a), negatedIn(b), contentOf(a), contentOf(b)];
  return (
    Array.from(negatedA).some((word) => !negatedB.has(word) && inB.has(word)) ||
    Array.from(negatedB).some((word) => !negatedA.has(word) && inA.has(word))
  );
}

function contentOf({ tokens }: Action): Set<string> {
  const content = tokens.filter(isContent);
  return new Set((content.length > 0 ? content : tokens).map(({ text }) => stem(text)));
}

function isContent({ text, unspaced }: Token): boolean {
  if (text === "") return false;
  if (unspaced) return !PARTICLES.has(text);
  return !RELATIONS.has(text) && !CONJUNCTIONS.has(text) && !ARTICLES.has(text);
}

function sameBag(a: Action, b: Action): boolean {
  const bag = ({ tokens }: Action): string =>
    tokens
      .map(({ text }) => text)
      .sort()
      .join("\n");
  return a.tokens.length === b.tokens.length && bag(a) === bag(b);
}

/** The first word, or the first two characters, is what is to be done. */
function startsAlike(a: Action, b: Action): boolean {
  const start = ({ tokens }: Action): string =>
    tokens
      .slice(0, tokens[0]?.unspaced === true ? 2 : 1)
      .map(({ text }) => stem(text))
      .join("");
  return start(a) === start(b);
}
