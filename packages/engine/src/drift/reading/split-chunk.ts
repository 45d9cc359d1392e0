import { UNITS } from "../words/units.ts";
import { fold } from "./clean.ts";
import { trimWord } from "./trim-word.ts";
import type { Word } from "./word.ts";

const PARTS =
  /!=+|[<>]=|->|=>|<-|[\p{L}\p{N}]+(?:\+\+|#)(?![\p{L}\p{N}])|(?:~(?=\/)|(?!\p{S}|->|!=|[—–…])[^])+|\p{S}/gu;
const QUANTITY = /^([-+]?\d+(?:[.,]\d+)*)(%|°?\p{L}{1,5})$/u;
const ELISION = /^(l|d|n|qu|j|s|c|m|t)'(.+)$/iu;

/** The words of a run of characters without spaces, with `don't` and `10MB` taken apart and punctuation gone. */
export function splitChunk(chunk: string, quoted: boolean, group: number | null): Word[] {
  const words: Word[] = [];
  const add = (shown: string, text = fold(shown), kind: Word["kind"] = "word"): void => {
    words.push({ text, shown, kind, exact: quoted || /[\p{N}/\\_@.]/u.test(text), group });
  };
  const ranges = chunk.replace(/(?<=\d)[–—](?=\d)/gu, "-");
  for (const [part] of ranges.matchAll(PARTS)) {
    const { negated, word } = trimWord(part);
    if (negated) add("!", "!", "negator");
    if (word !== "") splitWord(word, add);
  }
  return words;
}

type Add = (shown: string, text?: string, kind?: Word["kind"]) => void;

function splitWord(shown: string, add: Add): void {
  const text = fold(shown);
  const quantity = QUANTITY.exec(text);
  const [number, unit] = [quantity?.[1], quantity?.[2]];
  if (number !== undefined && unit !== undefined && (unit === "%" || UNITS.has(unit))) {
    add(shown.slice(0, number.length), number);
    return add(shown.slice(number.length), unit);
  }
  if (text.endsWith("n't")) {
    if (text.length > 3) add(shown, text.slice(0, -3));
    return add(shown, "not");
  }
  if (text === "let's") return add(shown, "please");
  if (text === "s'il") return add(shown);
  if (text === "&") return add(shown, "and");
  const elision = ELISION.exec(shown);
  if (elision?.[1] !== undefined && elision[2] !== undefined) {
    const article = fold(elision[1]);
    if (article === "n") add(shown.slice(0, 2), "ne");
    if (article === "d") add(shown.slice(0, 2), "de");
    return add(elision[2]);
  }
  return add(shown, text.replace(/'(?:s|re|ve|ll|d|m)$/u, ""));
}
