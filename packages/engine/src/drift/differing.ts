import type { Action, Token } from "./reading/action.ts";

export interface Differing {
  readonly only_in_a: string[];
  readonly only_in_b: string[];
}

const MOST = 40;
const LONGEST = 120;

/** What each text has that the other lacks, as written; for the same words in another order, the part that moved. */
export function differing(a: Action, b: Action): Differing {
  const [only_in_a, only_in_b] = [missingIn(b, a), missingIn(a, b)];
  if (only_in_a.length > 0 || only_in_b.length > 0) {
    return { only_in_a: phrases(a, only_in_a), only_in_b: phrases(b, only_in_b) };
  }
  const [start, end] = sharedEnds(a.tokens, b.tokens);
  const middle = ({ tokens }: Action): string[] => {
    const shown = tokens.slice(start, Math.min(start + MOST, tokens.length - end)).map(showToken);
    return shown.length === 0 ? [] : [cut(shown.join(" "))];
  };
  return { only_in_a: middle(a), only_in_b: middle(b) };
}

/** What is compared when two tokens are counted as one. */
export function tokenKey({ text, negators }: Token): string {
  return `${negators.length} ${text}`;
}

function missingIn(other: Action, { tokens }: Action): number[] {
  const left = new Map<string, number>();
  for (const token of other.tokens) {
    left.set(tokenKey(token), (left.get(tokenKey(token)) ?? 0) + 1);
  }
  return tokens.flatMap((token, at) => {
    const count = left.get(tokenKey(token)) ?? 0;
    if (count === 0) return [at];
    left.set(tokenKey(token), count - 1);
    return [];
  });
}

/** One entry a word; quotations are shown whole, and characters of a script without spaces with those around them. */
function phrases({ tokens }: Action, places: readonly number[]): string[] {
  const shown: string[] = [];
  const differs = new Set(places);
  let end = 0;
  for (const place of places) {
    if (place < end) continue;
    if (shown.length === MOST) break;
    end = endOfPhrase(tokens, place, differs);
    const first = tokens[place]?.group === null ? place : startOfGroup(tokens, place);
    const separator = tokens[place]?.unspaced === true ? "" : " ";
    shown.push(
      cut(
        tokens
          .slice(first, Math.min(end, first + LONGEST))
          .map(showToken)
          .join(separator),
      ),
    );
  }
  return shown;
}

/** At least this much of a text without spaces, so that it can be recognised. */
const UNSPACED_CONTEXT = 4;

function endOfPhrase(
  tokens: readonly Token[],
  place: number,
  differs: ReadonlySet<number>,
): number {
  const token = tokens[place];
  let end = place + 1;
  if (token === undefined) return end;
  if (token.group !== null) {
    while (tokens[end]?.group === token.group) end += 1;
  } else if (token.unspaced) {
    while (tokens[end]?.unspaced && (differs.has(end) || end < place + UNSPACED_CONTEXT)) end += 1;
  }
  return end;
}

function startOfGroup(tokens: readonly Token[], place: number): number {
  let start = place;
  while (tokens[start - 1]?.group === tokens[place]?.group) start -= 1;
  return start;
}

function showToken({ negators, shown, unspaced }: Token): string {
  return [...negators, shown]
    .filter((part, at, all) => part !== "" && part !== all[at - 1])
    .join(unspaced ? "" : " ");
}

function sharedEnds(a: readonly Token[], b: readonly Token[]): [start: number, end: number] {
  const same = (at: number, inB: number): boolean =>
    a[at] !== undefined && b[inB] !== undefined && tokenKey(a[at]) === tokenKey(b[inB]);
  let start = 0;
  while (same(start, start)) start += 1;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && same(a.length - 1 - end, b.length - 1 - end)) end += 1;
  return [start, end];
}

function cut(text: string): string {
  const characters = Array.from(text.slice(0, LONGEST * 2));
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : text;
}
