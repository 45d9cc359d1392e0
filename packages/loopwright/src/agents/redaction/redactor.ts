import { MAY_HAVE_SHAPE, secretShapes } from "./secret-shapes.ts";

export const REDACTED = "[redacted]";

/** Start and end (exclusive) of something secret. */
export type Span = readonly [start: number, end: number];

export interface Redactor {
  /** Sorted, without overlap. */
  spans(text: string): Span[];
  text(text: string): string;
  /** Every string of a JSON value, also below names that say that their value is secret. */
  value(value: unknown): unknown;
  /** This text stops at a line end in the middle of what may be a secret of several lines. */
  mayContinue(text: string): boolean;
}

const SECRET_NAME = /(?:_|^)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;
const SECRET_FIELD = /^(?:proxy-)?authorization$|api[-_]?key$|(?:_|-|^)(?:token|secret|password)$/i;
/** Shorter values appear everywhere by chance. */
const SHORTEST = 6;

/**
 * Knows the values of secret variables (`*_KEY`, `*_TOKEN`, `*_SECRET`, …) of this environment, and the shapes of
 * well-known secrets. `bytes`: texts are bytes as latin1 characters.
 */
export function createRedactor(
  environment: Readonly<Record<string, string | undefined>>,
  options: { readonly bytes?: boolean } = {},
): Redactor {
  const literals = secretValues(environment).map((value) =>
    options.bytes ? Buffer.from(value).toString("latin1") : value,
  );
  const literal =
    literals.length === 0 ? undefined : new RegExp(literals.map(escapeForRegExp).join("|"), "g");
  const severalLines = literals.filter((secret) => secret.includes("\n"));
  const shapes = secretShapes();

  const spans = (text: string): Span[] => {
    const found: [number, number][] = [];
    if (literal !== undefined) {
      for (const match of text.matchAll(literal))
        found.push([match.index, match.index + match[0].length]);
    }
    if (MAY_HAVE_SHAPE.test(text)) {
      for (const match of text.matchAll(shapes)) {
        const groups = match.indices?.groups ?? {};
        for (const name in groups) {
          const span = groups[name];
          if (span !== undefined) found.push(span);
        }
      }
    }
    return found.length < 2 ? found : merge(found);
  };
  const redact = (text: string): string => replaceSpans(text, spans(text));
  const value = (input: unknown): unknown => {
    if (typeof input === "string") return redact(input);
    if (Array.isArray(input)) return input.map(value);
    if (typeof input !== "object" || input === null) return input;
    return Object.fromEntries(
      Object.entries(input).map(([name, field]) => [
        name,
        typeof field === "string" && field.length >= SHORTEST && SECRET_FIELD.test(name)
          ? REDACTED
          : value(field),
      ]),
    );
  };
  return {
    spans,
    text: redact,
    value,
    mayContinue: (text) => severalLines.some((secret) => endsWithBeginOf(text, secret)),
  };
}

export function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let result = "";
  let position = 0;
  for (const [start, end] of spans) {
    result += text.slice(position, start) + REDACTED;
    position = end;
  }
  return result + text.slice(position);
}

/** Longest first, so that a secret that contains another one goes as a whole. Also as JSON writes them. */
function secretValues(environment: Readonly<Record<string, string | undefined>>): string[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || !SECRET_NAME.test(name)) continue;
    for (const part of [value, ...value.split("\n")]) {
      const secret = part.trim();
      if (secret.length < SHORTEST) continue;
      values.add(secret);
      values.add(JSON.stringify(secret).slice(1, -1));
    }
  }
  return [...values].sort((a, b) => b.length - a.length);
}

function merge(spans: [number, number][]): Span[] {
  spans.sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last !== undefined && span[0] < last[1]) last[1] = Math.max(last[1], span[1]);
    else merged.push(span);
  }
  return merged;
}

function endsWithBeginOf(text: string, secret: string): boolean {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length -= 1) {
    if (secret.startsWith(text.slice(text.length - length))) return true;
  }
  return false;
}

function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}
