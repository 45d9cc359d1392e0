import type { Word } from "./word.ts";

/** Phrases of words, found at a position of a text in time that depends on the phrases alone. */
export function phraseFinder(
  phrases: readonly string[],
): (words: readonly Word[], at: number) => number {
  const byFirst = new Map<string, string[][]>();
  for (const phrase of phrases) {
    const words = phrase.split(" ");
    const first = words[0] ?? "";
    byFirst.set(first, [...(byFirst.get(first) ?? []), words]);
  }
  for (const found of byFirst.values()) found.sort((one, other) => other.length - one.length);
  return (words, at) => {
    const candidates = byFirst.get(words[at]?.text ?? "") ?? [];
    return (
      candidates.find((phrase) => phrase.every((word, k) => words[at + k]?.text === word))
        ?.length ?? 0
    );
  };
}
