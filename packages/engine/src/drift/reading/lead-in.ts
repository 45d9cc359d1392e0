import { LEAD_INS, UNSPACED_LEAD_INS } from "../words/fillers.ts";
import { phraseFinder } from "./phrases.ts";
import type { Word } from "./word.ts";

const leadIn = phraseFinder(LEAD_INS);

/** The words behind `please`, `we should`, `the next step is to` and the like; all of them if nothing would be left. */
export function withoutLeadIn(words: readonly Word[]): readonly Word[] {
  let start = 0;
  for (;;) {
    const length = leadIn(words, start) || unspacedLeadIn(words, start);
    if (length === 0) break;
    start += length;
  }
  return start < words.length ? words.slice(start) : words;
}

function unspacedLeadIn(words: readonly Word[], at: number): number {
  if (words[at]?.kind !== "unspaced") return 0;
  const start = words
    .slice(at, at + 4)
    .map(({ text }) => text)
    .join("");
  return Array.from(UNSPACED_LEAD_INS.find((lead) => start.startsWith(lead)) ?? "").length;
}
