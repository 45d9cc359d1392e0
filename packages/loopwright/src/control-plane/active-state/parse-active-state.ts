import { hash } from "node:crypto";
import { type Entry, entriesOf } from "./entries.ts";
import type { Line } from "./lines.ts";
import { type Section, sectionsNamed, sectionsOf } from "./sections.ts";
import { type Todo, todosOf } from "./todos.ts";

/** The sections of `ACTIVE_STATE.md`, in their order. */
export const SECTIONS = [
  "Objective",
  "Next Action",
  "Todo",
  "Decisions",
  "Recent Feedback",
  "Progress",
] as const;
export type SectionName = (typeof SECTIONS)[number];

/** Something that a person would want to mend; what could be read is read all the same. */
export interface StateProblem {
  readonly line: number;
  /** One sentence without its full stop. */
  readonly message: string;
}

export interface ActiveState {
  /** The text of `## Objective` without comments; may be empty. */
  readonly objective: string;
  /** Entries of `## Next Action` that aren't ticked off; the first one is the goal's next action. */
  readonly nextActions: readonly Entry[];
  readonly todos: readonly Todo[];
  readonly decisions: readonly Entry[];
  readonly feedback: readonly Entry[];
  readonly progress: readonly Entry[];
  readonly problems: readonly StateProblem[];
  /** sha256 of the text, 64 hex. */
  readonly digest: string;
}

/**
 * Reads any text: what is missing is empty, what stands twice is read in one, what is broken is a problem with its line.
 * Front matter is `readFrontMatter`'s, because its YAML costs more than all the rest.
 */
export function parseActiveState(text: string): ActiveState {
  const sectioned = sectionsOf(text);
  const problems: StateProblem[] = [];
  // Each by itself: nothing goes on from one section into another.
  const named = (name: SectionName): (readonly Line[])[] => {
    const found = sectionsNamed(sectioned, name);
    problems.push(...repeated(name, found));
    return found.map(({ lines }) => lines);
  };
  const entries = (name: SectionName): Entry[] => named(name).flatMap(entriesOf);
  return {
    objective: named("Objective")
      .flat()
      .map(({ text: line, fenced }) => (fenced ? line : line.trim()))
      .join("\n")
      .trim(),
    nextActions: entries("Next Action").filter(({ done, text: action }) => !done && action !== ""),
    todos: named("Todo").flatMap(todosOf),
    decisions: entries("Decisions"),
    feedback: entries("Recent Feedback"),
    progress: entries("Progress"),
    problems: problems.toSorted((a, b) => a.line - b.line),
    digest: digestOfText(text),
  };
}

/** First entry under `## Next Action`: the goal's durable route. Undefined when there is none. */
export function nextActionOf(text: string): string | undefined {
  return parseActiveState(text).nextActions[0]?.text;
}

/** sha256 of a text, 64 hex: of an active state, or of a next action. */
export function digestOfText(text: string): string {
  return hash("sha256", text);
}

function repeated(name: SectionName, [first, ...others]: readonly Section[]): StateProblem[] {
  return others.map(({ at }) => ({
    line: at.number,
    message: `"## ${name}" already stands in line ${first?.at.number}; both are read as one`,
  }));
}
