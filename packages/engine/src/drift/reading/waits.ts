import {
  CLOSED_LAST,
  CONDITION_MET,
  CONDITIONS,
  UNSPACED_WAITING,
  WAITING,
  WAITING_FIRST,
  WAITING_PHRASES,
} from "../words/waiting.ts";
import { phraseFinder } from "./phrases.ts";
import type { Word } from "./word.ts";

const waitingPhrase = phraseFinder(WAITING_PHRASES);

/** Whether a text puts off what it asks. `words` are those behind the lead-ins. */
export function waits(words: readonly Word[]): boolean {
  const [first, last] = [words[0], words.at(-1)];
  if (first !== undefined && WAITING_FIRST.has(first.text)) return true;
  if (last !== undefined && last !== first && CLOSED_LAST.has(last.text)) return true;
  if (words.some((word, at) => WAITING.has(word.text) || waitingPhrase(words, at) > 0)) return true;
  if (words.some((_, at) => conditional(words, at))) return true;
  return UNSPACED_WAITING.test(
    words.map((word) => (word.kind === "word" ? " " : word.text)).join(""),
  );
}

function conditional(words: readonly Word[], at: number): boolean {
  const word = words[at];
  return (
    word !== undefined &&
    CONDITIONS.has(word.text) &&
    words.slice(at + 1, at + 7).some(({ text }) => CONDITION_MET.test(text))
  );
}
