import type { Token } from "./reading/action.ts";
import { sameToken } from "./same-token.ts";
import { ARTICLES } from "./words/fillers.ts";
import { CONJUNCTIONS, RELATIONS } from "./words/relations.ts";

/**
 * Finds all tokens of the shorter text in the longer one, in order, each as early as it goes. Quoted names stay whole,
 * scripts without spaces are found by two characters at least, and between a role (`to`) and its value nothing may stand
 * that has a role of its own.
 * @returns the place of each token, null for an article that the longer text doesn't have; null if one isn't found
 */
export function embed(
  shorter: readonly Token[],
  longer: readonly Token[],
): (number | null)[] | null {
  const places: (number | null)[] = [];
  let from = 0;
  for (let at = 0; at < shorter.length;) {
    const length = unitLength(shorter, at);
    if (isArticle(shorter, at) && !matches(shorter, at, 1, longer, from)) {
      if (matches(shorter, at + 1, unitLength(shorter, at + 1), longer, from)) {
        places.push(null);
        at += 1;
        continue;
      }
    }
    const start = find(shorter, at, length, longer, from);
    if (start === null) return null;
    for (let k = 0; k < length; k += 1) places.push(start + k);
    at += length;
    from = start + length;
    while (continues(shorter, at, longer, from)) {
      places.push(from);
      at += 1;
      from += 1;
    }
  }
  return places;
}

/** How many tokens must be found side by side: a quotation, or two characters of a script without spaces. */
function unitLength(tokens: readonly Token[], at: number): number {
  const token = tokens[at];
  if (token === undefined) return 0;
  if (token.group === null) return token.unspaced && tokens[at + 1]?.unspaced === true ? 2 : 1;
  let end = at;
  while (tokens[end]?.group === token.group) end += 1;
  return end - at;
}

function find(
  shorter: readonly Token[],
  at: number,
  length: number,
  longer: readonly Token[],
  from: number,
): number | null {
  for (let place = from; place + length <= longer.length; place += 1) {
    if (!matches(shorter, at, length, longer, place, from)) continue;
    if (!hasRole(shorter[at]) || at + length >= shorter.length) return place;
    // A later `to` belongs to something else than what the first one is said of.
    return valueFollows(shorter, at + length, longer, place + length) ? place : null;
  }
  return null;
}

function valueFollows(
  shorter: readonly Token[],
  at: number,
  longer: readonly Token[],
  from: number,
): boolean {
  const value = isArticle(shorter, at) ? at + 1 : at;
  const length = unitLength(shorter, value);
  for (let place = from; place < longer.length; place += 1) {
    if (matches(shorter, value, length, longer, place)) return true;
    if (isBarrier(longer[place]) && !(place === from && isArticle(longer, place))) return false;
  }
  return false;
}

function matches(
  shorter: readonly Token[],
  at: number,
  length: number,
  longer: readonly Token[],
  place: number,
  from = place,
): boolean {
  return (
    length > 0 &&
    same(shorter, at, length, longer, place) &&
    keepsQuotation(shorter, at, length, longer, place, from)
  );
}

/** A quotation of the longer text is taken whole or not at all; a text without quotation marks may name it too. */
function keepsQuotation(
  shorter: readonly Token[],
  at: number,
  length: number,
  longer: readonly Token[],
  place: number,
  from: number,
): boolean {
  const group = longer[place]?.group ?? null;
  if (group === null) return (longer[place + length - 1]?.group ?? null) === null;
  // Inside of it: only right behind its part that was found before.
  if (longer[place - 1]?.group === group) return place === from && shorter[at]?.group === null;
  const whole = unitLength(longer, place);
  if (whole === length) return true;
  return shorter[at]?.group === null && same(shorter, at, whole, longer, place);
}

function same(
  shorter: readonly Token[],
  at: number,
  length: number,
  longer: readonly Token[],
  place: number,
): boolean {
  for (let k = 0; k < length; k += 1) {
    const [wanted, found] = [shorter[at + k], longer[place + k]];
    if (wanted === undefined || found === undefined || !sameToken(wanted, found)) return false;
  }
  return true;
}

function continues(
  shorter: readonly Token[],
  at: number,
  longer: readonly Token[],
  from: number,
): boolean {
  return shorter[at]?.unspaced === true && matches(shorter, at, 1, longer, from);
}

function hasRole(token: Token | undefined): boolean {
  return token !== undefined && RELATIONS.has(token.text);
}

function isBarrier(token: Token | undefined): boolean {
  return (
    token !== undefined &&
    (token.exact || RELATIONS.has(token.text) || CONJUNCTIONS.has(token.text))
  );
}

function isArticle(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  return (
    token !== undefined &&
    ARTICLES.has(token.text) &&
    token.negators.length === 0 &&
    token.group === null &&
    at < tokens.length - 1
  );
}
