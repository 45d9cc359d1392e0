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
  const characters = [...flat];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join("").trimEnd()}…` : flat;
}

// CSI and OSC sequences, and every other two-character escape.
// oxlint-disable-next-line no-control-regex
const ESCAPE_SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
