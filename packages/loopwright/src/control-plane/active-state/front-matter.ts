import { activeStateFrontMatter } from "@loopwright/protocol";
import { parseDocument } from "yaml";
import { sectionsOf } from "./sections.ts";
import type { StateProblem } from "./parse-active-state.ts";

export interface FrontMatter {
  readonly goalId: string | undefined;
  readonly updatedAt: string | undefined;
  readonly problems: readonly StateProblem[];
}

/** What is read of front matter at most. */
const LIMIT = 64 * 1024;

/** The YAML at the top of `ACTIVE_STATE.md`. None at all is fine; broken YAML is a problem with its line. */
export function readFrontMatter(text: string): FrontMatter {
  const { front } = sectionsOf(text);
  const [first, last] = [front?.[0], front?.at(-1)];
  const nothing = { goalId: undefined, updatedAt: undefined };
  if (first === undefined || last === undefined) return { ...nothing, problems: [] };
  const problem = (message: string, line = first.number): FrontMatter => ({
    ...nothing,
    problems: [{ line, message }],
  });
  if (last.end - first.start > LIMIT) return problem("the front matter is longer than 64 KiB");
  try {
    const document = parseDocument(text.slice(first.start, last.end));
    const [error] = document.errors;
    if (error !== undefined) {
      const within = error.linePos?.[0].line ?? 1;
      const [message] = error.message.split("\n");
      return problem(`the front matter is not YAML: ${message}`, first.number + within - 1);
    }
    const value: unknown = document.toJS({ maxAliasCount: 10 });
    const { goal_id, updated_at } = activeStateFrontMatter
      .partial()
      .catch({})
      .parse(value ?? {});
    return { goalId: goal_id, updatedAt: updated_at, problems: [] };
  } catch (error) {
    return problem(`the front matter can't be read: ${(error as Error).message}`);
  }
}
