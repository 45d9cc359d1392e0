import { UNSPACED_CLASS, UNSPACED_NEGATOR } from "../words/unspaced.ts";
import { fold } from "./clean.ts";
import { splitChunk } from "./split-chunk.ts";
import type { Word } from "./word.ts";

/** A quotation of at most 200 characters, a run of a script without spaces, or a run of anything else without spaces. */
const PIECES = new RegExp(
  [
    "(`{1,3})(?<code>[^`\\n]{1,200})\\1",
    '"(?<quote>[^"\\n]{1,200})"',
    "(?<![\\p{L}\\p{N}])'(?<single>[^'\\n]{1,200})'(?![\\p{L}\\p{N}])",
    `(?<unspaced>[${UNSPACED_CLASS}]+)`,
    `(?<chunk>(?:(?<=\\d),(?=\\d)|[^\\s"\`()\\[\\]{},;${UNSPACED_CLASS}])+)`,
  ].join("|"),
  "gu",
);

/** The words of a cleaned text, in order, in one pass. */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  let groups = 0;
  for (const { groups: piece } of text.matchAll(PIECES)) {
    const quoted = piece?.["code"] ?? piece?.["quote"] ?? piece?.["single"];
    if (quoted === undefined) {
      append(words, unquoted(piece, false, null));
      continue;
    }
    const inside = Array.from(quoted.matchAll(PIECES)).flatMap(({ groups: inner }) =>
      unquoted(inner, true, groups),
    );
    // Sentences are quoted too; only a name is one thing.
    append(words, inside.length > 1 ? inside : inside.map((word) => ({ ...word, group: null })));
    groups += 1;
  }
  return words;
}

type Piece = Record<string, string | undefined> | undefined;

function unquoted(piece: Piece, quoted: boolean, group: number | null): Word[] {
  const run = piece?.["unspaced"];
  if (run !== undefined) return splitUnspaced(run, quoted, group);
  const chunk = piece?.["chunk"] ?? piece?.["code"] ?? piece?.["quote"] ?? piece?.["single"];
  return chunk === undefined
    ? []
    : chunk.split(/\s+/u).flatMap((part) => splitChunk(part, quoted, group));
}

function splitUnspaced(run: string, quoted: boolean, group: number | null): Word[] {
  const words: Word[] = [];
  for (let at = 0; at < run.length;) {
    UNSPACED_NEGATOR.lastIndex = at;
    const negator = UNSPACED_NEGATOR.exec(run)?.[0];
    const shown = negator ?? String.fromCodePoint(run.codePointAt(at) ?? 0);
    const kind = negator === undefined ? "unspaced" : "negator";
    words.push({ text: fold(shown), shown, kind, exact: quoted, group });
    at += shown.length;
  }
  return words;
}

function append(words: Word[], more: readonly Word[]): void {
  for (const word of more) words.push(word);
}
