import { parseActiveState } from "./parse-active-state.ts";
import type { Entry } from "./entries.ts";
import { type Section, type SectionedText, sectionsNamed, sectionsOf } from "./sections.ts";

/**
 * The text with another next action: the first open entry is replaced, or one is put in where there is none. All other
 * bytes stay, but for `updated_at` in the front matter. Returns the text itself when the action stands there already.
 * @param at ISO-8601, what `updated_at` becomes
 */
export function withNextAction(text: string, action: string, at: string): string {
  const wanted = actionLine(action);
  const before = parseActiveState(text);
  const [first] = before.nextActions;
  if (wanted === "" || first?.text === wanted) return text;
  const written =
    first === undefined
      ? inserted(text, wanted)
      : replaced(text, first, wanted, before.nextActions.slice(1));
  return withUpdatedAt(written, at);
}

/** As a bullet where a paragraph won't do: behind a bullet, what is indented is part of it. */
function replaced(text: string, old: Entry, action: string, others: readonly Entry[]): string {
  const marker = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t])/.exec(text.slice(old.start, old.end))?.[0];
  const write = (prefix: string): string =>
    `${text.slice(0, old.start)}${prefix}${action}${text.slice(old.end)}`;
  const [first, ...rest] = [marker === undefined ? "" : `${marker} `, "- "].map(write);
  const fits = (candidate: string): boolean => {
    const [now, ...then] = parseActiveState(candidate).nextActions;
    return now?.text === action && then.every((entry, at) => entry.text === others[at]?.text);
  };
  return (
    [first, ...rest].find((candidate) => candidate !== undefined && fits(candidate)) ?? write("- ")
  );
}

const LONGEST = 4_000;

/** An action as it stands in one entry: one line, without a marker of its own, and nothing that hides text. Empty: it says nothing. */
export function actionLine(action: string): string {
  let line = action
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/<(?=!--)/g, "< ")
    .replace(/-->/g, "-- >")
    .trim();
  for (;;) {
    const bare = line.replace(MARKER, "").trim();
    if (bare === line)
      return /[\p{L}\p{N}]/u.test(line) ? line.slice(0, LONGEST).toWellFormed().trim() : "";
    line = bare;
  }
}

/** What makes something else than a plain entry of a line that begins with it. */
const MARKER = /^(?:(?:[-*+]|\d{1,9}[.)]|\[[ xX-]\]|#{1,6})(?: |$)|`{3,}|~{3,})/;

function inserted(text: string, action: string): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const sectioned = sectionsOf(text);
  const [section] = sectionsNamed(sectioned, "Next Action");
  if (section !== undefined) {
    const after = section.at.end;
    const rest = text.slice(after);
    const gap = /^(?:\r?\n){2}/.test(rest) || /^\r?\n$/.test(rest) ? "" : eol;
    return `${text.slice(0, after)}${eol}${eol}- ${action}${gap}${rest}`;
  }
  const place = placeOf(text, sectioned);
  const before = text.slice(0, place);
  const gap =
    before === "" || /(?:\r?\n){2}$/.test(before) ? "" : before.endsWith("\n") ? eol : eol + eol;
  const behind = place < text.length ? eol : "";
  return `${before}${gap}## Next Action${eol}${eol}- ${action}${eol}${behind}${text.slice(place)}`;
}

/** Behind the objective, else before the first section, else at the end. */
function placeOf(text: string, sectioned: SectionedText): number {
  const { sections } = sectioned;
  const [objective] = sectionsNamed(sectioned, "Objective");
  const next: Section | undefined =
    objective === undefined ? sections[0] : sections[sections.indexOf(objective) + 1];
  return next?.at.start ?? text.length;
}

function withUpdatedAt(text: string, at: string): string {
  const line = sectionsOf(text).front?.find(({ start, end }) =>
    /^updated_at:(?:[ \t]|$)/.test(text.slice(start, end)),
  );
  if (line === undefined) return text;
  return `${text.slice(0, line.start)}updated_at: ${at}${text.slice(line.end)}`;
}
