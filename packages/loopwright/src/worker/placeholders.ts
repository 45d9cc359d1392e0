import { LoopwrightError } from "@loopwright/protocol";

/** What `prompt.md` and `preamble.md` of a workflow set may ask for, as `{{name}}`. */
export const PLACEHOLDERS = [
  "out",
  "project_state",
  "session",
  "iteration",
  "attempt_id",
  "workflow",
] as const;
export type PlaceholderValues = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>;

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;

export interface UnknownPlaceholder {
  /** As written, without the braces. */
  readonly name: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** For preflight: the same reading as `fillPlaceholders`, which throws for each of these. */
export function unknownPlaceholders(text: string): UnknownPlaceholder[] {
  const unknown: UnknownPlaceholder[] = [];
  for (const match of text.matchAll(PLACEHOLDER)) {
    const name = match[1] ?? "";
    if (isKnown(name)) continue;
    const before = text.slice(0, match.index).split("\n");
    unknown.push({ name, line: before.length, column: (before.at(-1) ?? "").length + 1 });
  }
  return unknown;
}

/** Throws CONFIGURATION_INVALID for a placeholder that doesn't exist. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    if (isKnown(name)) return values[name];
    throw new LoopwrightError(
      "CONFIGURATION_INVALID",
      `The prompt has an unknown placeholder "${whole}".`,
      {
        hint: `Known: ${PLACEHOLDERS.map((known) => `{{${known}}}`).join(", ")}.`,
      },
    );
  });
}

function isKnown(name: string): name is (typeof PLACEHOLDERS)[number] {
  return (PLACEHOLDERS as readonly string[]).includes(name);
}
