import type { Action, Token } from "./reading/action.ts";
import { OPPOSITES, UNSPACED_OPPOSITES } from "./words/opposites.ts";
import { stem } from "./words/stem.ts";

const opposites = new Map<string, Set<string>>();
for (const [one, other] of OPPOSITES) {
  link(stem(one), stem(other));
  link(stem(other), stem(one));
}

/** Whether one text has a word where the other has its opposite: `enable` and `disable`, `pin` and `unpin`. */
export function haveOpposites(a: Action, b: Action): boolean {
  const [inA, inB] = [stems(a.tokens), stems(b.tokens)];
  for (const word of inA) {
    if (inB.has(word)) continue;
    for (const opposite of opposites.get(word) ?? []) {
      if (inB.has(opposite) && !inA.has(opposite)) return true;
    }
    if (hasPrefixed(word, inB) && word.length > 2) return true;
  }
  for (const word of inB) {
    if (!inA.has(word) && word.length > 2 && hasPrefixed(word, inA)) return true;
  }
  return unspacedOpposites(joined(a.tokens), joined(b.tokens));
}

function hasPrefixed(word: string, others: ReadonlySet<string>): boolean {
  return ["un", "dis", "de", "non-", "non", "in", "im"].some((prefix) => others.has(prefix + word));
}

function unspacedOpposites(a: string, b: string): boolean {
  const onlyIn = (one: string, other: string, word: string): boolean =>
    one.includes(word) && !other.includes(word);
  return UNSPACED_OPPOSITES.some(
    ([one, other]) =>
      (onlyIn(a, b, one) && onlyIn(b, a, other)) || (onlyIn(a, b, other) && onlyIn(b, a, one)),
  );
}

function stems(tokens: readonly Token[]): Set<string> {
  return new Set(tokens.filter(({ unspaced }) => !unspaced).map(({ text }) => stem(text)));
}

/** With their negators: `禁用` was read as a negated `用`. */
function joined(tokens: readonly Token[]): string {
  return tokens
    .map(({ negators, text, unspaced }) => (unspaced ? negators.join("") + text : " "))
    .join("");
}

function link(one: string, other: string): void {
  const known = opposites.get(one) ?? new Set<string>();
  opposites.set(one, known.add(other));
}
