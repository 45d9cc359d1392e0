import { embed } from "./embed.ts";
import type { Action, Token } from "./reading/action.ts";
import { sameToken } from "./same-token.ts";
import { REVERSING } from "./words/opposites.ts";
import { RANGE_STARTS, RANGES } from "./words/relations.ts";
import { MULTIPLIERS } from "./words/units.ts";
import { VERBS } from "./words/verbs.ts";

export function sameAction(one: Action, other: Action): boolean {
  return (
    one.tokens.length === other.tokens.length &&
    one.tokens.every((token, at) => sameTokenOrNone(token, other.tokens[at]))
  );
}

/**
 * Whether the longer text asks for the shorter one's action in more detail: all its words in their order, under the same
 * negations, done at the same time, with nothing put between a role and its value and no other end of a range.
 */
export function refines(shorter: Action, longer: Action): boolean {
  if (shorter.waits !== longer.waits) return false;
  if (negations(shorter) !== negations(longer)) return false;
  const places = embed(shorter.tokens, longer.tokens);
  return (
    places !== null && keepsAction(shorter, longer, places) && keepsNumbers(shorter, longer, places)
  );
}

/** Negations besides contrasts: what a text isn't meant to be may be added to it. */
function negations({ tokens }: Action): number {
  return tokens.reduce(
    (sum, { negators, contrast }) => sum + negators.length - (contrast ? 1 : 0),
    0,
  );
}

/** What the longer text puts in front must not make another action of it. */
function keepsAction(shorter: Action, longer: Action, places: readonly (number | null)[]): boolean {
  const [first, last] = [shorter.tokens[0], shorter.tokens.at(-1)];
  if (first === undefined || last === undefined) return false;
  if (endsInVerb(shorter) || endsInVerb(longer)) return places.at(-1) === longer.tokens.length - 1;
  const leading = longer.tokens.slice(0, places.find((place) => place !== null) ?? 0);
  if (leading.every(({ text }) => /.{2}ly$/u.test(text))) return true;
  if (first.unspaced || VERBS.has(first.text)) return false;
  return !leading.some(({ text, unspaced }) => unspaced || REVERSING.has(text));
}

/** Japanese and Korean say at the end what is done. */
function endsInVerb({ tokens }: Action): boolean {
  return tokens.some(({ text }) => /[\p{Script=Hiragana}\p{Script=Hangul}]/u.test(text));
}

/**
 * `keep 3 backups` isn't `keep 3 to 5 backups` or `keep 3 thousand backups`, though `raise it to 10` is a short `raise it
 * from 5 to 10`.
 */
function keepsNumbers(
  shorter: Action,
  longer: Action,
  places: readonly (number | null)[],
): boolean {
  return places.every((place, at) => {
    if (place === null || !isNumber(longer.tokens[place])) return true;
    const [before, after] = [longer.tokens[place - 1]?.text, longer.tokens[place + 1]?.text ?? ""];
    const grows = MULTIPLIERS.has(after) || joinsNumber(longer.tokens, place + 1, place + 2);
    if (grows && shorter.tokens[at + 1]?.text !== after) return false;
    return (
      !joinsNumber(longer.tokens, place - 1, place - 2) ||
      shorter.tokens[at - 1]?.text === before ||
      RANGE_STARTS.has(longer.tokens[place - 3]?.text ?? "")
    );
  });
}

function joinsNumber(tokens: readonly Token[], joiner: number, number: number): boolean {
  return RANGES.has(tokens[joiner]?.text ?? "") && isNumber(tokens[number]);
}

function isNumber(token: Token | undefined): boolean {
  return token !== undefined && /^[-+]?\d/u.test(token.text);
}

function sameTokenOrNone(one: Token, other: Token | undefined): boolean {
  return other !== undefined && sameToken(one, other);
}
