/** One line of a Markdown text, as a reader sees it. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Offsets in the text, without the line's end. */
  readonly start: number;
  readonly end: number;
  /** As it stands, comments replaced by as many spaces. */
  readonly text: string;
  /** Part of a fenced code block: nothing in it is a heading, a bullet or a comment. */
  readonly fenced: boolean;
  /** What stands in the HTML comments that begin here. */
  readonly comments: readonly string[];
}

/**
 * Splits a text (LF, CRLF, mixed) in linear time. A comment or a code fence that is never closed is none, so that one
 * stray `<!--` doesn't hide everything below it.
 */
export function linesOf(text: string): Line[] {
  const raw = rawLines(text);
  const closers = lastClosers(text, raw);
  const lastCommentEnd = text.lastIndexOf("-->");
  const lines: Line[] = [];
  let hiddenUntil = 0;
  let fence: Fence | undefined;
  for (const [index, { start, end }] of raw.entries()) {
    const whole = text.slice(start, end);
    const mark = hiddenUntil <= start ? fenceOf(whole) : undefined;
    const opens = fence === undefined && mark !== undefined && isClosed(closers, mark, index);
    const fenced = fence !== undefined || opens;
    const line = { number: index + 1, start, end };
    if (fenced) {
      lines.push({ ...line, text: whole, fenced, comments: [] });
      if (opens) fence = mark;
      else if (mark?.bare === true && fence !== undefined && isAtLeast(mark, fence))
        fence = undefined;
      continue;
    }
    const shown = withoutComments(text, { start, end }, hiddenUntil, lastCommentEnd);
    hiddenUntil = shown.hiddenUntil;
    lines.push({ ...line, text: shown.text, fenced, comments: shown.comments });
  }
  return lines;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function rawLines(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (;;) {
    const at = text.indexOf("\n", start);
    if (at === -1) break;
    spans.push({ start, end: at > start && text[at - 1] === "\r" ? at - 1 : at });
    start = at + 1;
  }
  if (start < text.length) spans.push({ start, end: text.length });
  return spans;
}

interface Fence {
  readonly character: "`" | "~";
  readonly length: number;
  /** Nothing behind it: it can close. */
  readonly bare: boolean;
}

function fenceOf(line: string): Fence | undefined {
  const [, run, rest] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (run === undefined || rest === undefined) return undefined;
  const character = run[0] === "`" ? "`" : "~";
  // "```a``` b" is code within a line.
  if (character === "`" && rest.includes("`")) return undefined;
  return { character, length: run.length, bare: rest.trim() === "" };
}

function isAtLeast(mark: Fence, opening: Fence): boolean {
  return mark.character === opening.character && mark.length >= opening.length;
}

/** By character and length (up to 40), the last line that closes such a fence. */
type Closers = ReadonlyMap<string, number>;
const LONGEST = 40;

function lastClosers(text: string, spans: readonly Span[]): Closers {
  const last = new Map<string, number>();
  for (const [index, { start, end }] of spans.entries()) {
    const mark = fenceOf(text.slice(start, end));
    if (mark?.bare !== true) continue;
    for (let length = 3; length <= Math.min(mark.length, LONGEST); length += 1)
      last.set(`${mark.character}${length}`, index);
  }
  return last;
}

function isClosed(closers: Closers, { character, length }: Fence, index: number): boolean {
  return (closers.get(`${character}${Math.min(length, LONGEST)}`) ?? -1) > index;
}

function withoutComments(
  text: string,
  { start, end }: Span,
  hiddenUntil: number,
  lastCommentEnd: number,
): { text: string; comments: string[]; hiddenUntil: number } {
  const comments: string[] = [];
  let hidden = hiddenUntil;
  let at = Math.min(Math.max(start, hidden), end);
  let shown = " ".repeat(at - start);
  while (at < end) {
    // Within the line: a search to the end of the text for each line would take its square.
    const found = text.slice(at, end).indexOf("<!--") + at;
    // `-->` may not share its dashes with `<!--`.
    const opening = found < at || lastCommentEnd < found + 4 ? end : found;
    shown += text.slice(at, opening);
    if (opening === end) break;
    const closing = text.indexOf("-->", opening + 4);
    comments.push(text.slice(opening + 4, closing).trim());
    hidden = closing + 3;
    at = Math.min(hidden, end);
    shown += " ".repeat(at - opening);
  }
  return { text: shown, comments, hiddenUntil: hidden };
}
