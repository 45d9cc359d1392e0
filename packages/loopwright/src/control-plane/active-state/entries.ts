import type { Line } from "./lines.ts";

/** A bullet, a number or a paragraph, with the lines that continue it. */
export interface Entry {
  /** In one line, cut at 8,000 characters: it is compared, and stands in prompts. */
  readonly text: string;
  /** A task-list item that is ticked off. */
  readonly done: boolean;
  /** Line number from 1. */
  readonly line: number;
  /** Where it stands in the text, from its marker to the last visible character. */
  readonly start: number;
  readonly end: number;
}

/**
 * A bullet or number is continued by indented lines, also behind an empty one; an indented bullet belongs to the one
 * above it. A paragraph ends at an empty line.
 */
export function entriesOf(lines: readonly Line[]): Entry[] {
  const entries: Entry[] = [];
  let open: Open | undefined;
  const close = (): void => {
    if (open !== undefined && open.text !== "") entries.push(finished(open));
    open = undefined;
  };
  for (const line of lines) {
    const visible = line.text.trim();
    if (visible === "" && !line.fenced) {
      if (open?.listed === false) close();
      continue;
    }
    if (line.fenced) {
      open = extended(open ?? begun(line), line, /^(?:`{3,}|~{3,})/.test(visible) ? "" : visible);
      continue;
    }
    if (isBreak(visible)) {
      close();
      continue;
    }
    const item = ITEM.exec(line.text);
    const indented = /^(?: {2,}|[ ]*\t)/.test(line.text);
    if (item === null && open !== undefined && (indented || !open.listed)) {
      open = extended(open, line, visible);
      continue;
    }
    if (item !== null && indented && open !== undefined) {
      open = extended(open, line, (item[1] ?? "").trim(), "; ");
      continue;
    }
    close();
    const text = item === null ? visible : (item[1] ?? "").trim();
    open = { ...begun(line), text, listed: item !== null };
  }
  close();
  return entries;
}

/** What stands behind a bullet's or number's marker. */
export const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(.*))?$/;

const LONGEST = 8_000;

interface Open {
  readonly text: string;
  readonly listed: boolean;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

function begun(line: Line): Open {
  const start = line.start + line.text.length - line.text.trimStart().length;
  return { text: "", listed: false, line: line.number, start, end: endOf(line) };
}

function extended(open: Open, line: Line, more: string, joint = " "): Open {
  const text = open.text === "" ? more : more === "" ? open.text : `${open.text}${joint}${more}`;
  return { ...open, text, end: endOf(line) };
}

function endOf(line: Line): number {
  return line.start + line.text.trimEnd().length;
}

function finished({ text, listed, line, start, end }: Open): Entry {
  const [, mark, rest] = (listed && /^\[([ xX-])\](?:[ \t]+(.*))?$/.exec(text)) || [];
  const done = mark === "x" || mark === "X";
  const whole = (mark === undefined ? text : (rest ?? "")).trim();
  const shown = whole.length > LONGEST ? `${whole.slice(0, LONGEST - 1)}…` : whole;
  return { text: shown, done, line, start, end };
}

/** A rule between things, or a heading of lower level. */
function isBreak(visible: string): boolean {
  return (
    /^#{3,6}(?:\s|$)/.test(visible) ||
    /^(?:-(?:\s*-){2,}|\*(?:\s*\*){2,}|_(?:\s*_){2,})$/.test(visible)
  );
}
