/**
 * Text of agents and files as a terminal may show it: control characters, escape sequences and what turns the writing
 * direction are gone; line breaks and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(ESCAPE_SEQUENCE, "").replace(CONTROL, "");
}

/** The same on one line, at most `limit` characters, never cut inside a character. */
export function oneLine(text: string, limit: number): string {
  const flat = printable(text).replace(/\s+/g, " ").trim();
  const characters = Array.from(flat);
  if (characters.length <= limit) return flat;
  return `${characters
    .slice(0, limit - 1)
    .join("")
    .trimEnd()}…`;
}

/** Begins every escape sequence. */
export const ESCAPE = "\u001b";

/** CSI and OSC sequences, and every other two-character escape. */
const ESCAPE_SEQUENCE = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\)|[@-Z\\\\-_])`,
  "g",
);
/** All but tab and line feed; separators that end lines; marks that turn the writing direction. */
const CONTROL = /[^\P{Cc}\t\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
