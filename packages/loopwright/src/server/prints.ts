import { statSync } from "node:fs";
import { join } from "node:path";
import type { Projection } from "@loopwright/protocol";
import type { GoalLayout } from "../store/layout.ts";

/** How the files of a goal look. Compared, never read. */
export interface Prints {
  /** Its sessions, the newest journal, `ACTIVE_STATE.md`. */
  readonly quick: string;
  /** Everything else. A directory tells what was made or replaced in it. */
  readonly rest: string;
}

/** Like no file. */
export const NONE: Prints = { quick: "", rest: "" };

export function printsOf(layout: GoalLayout, known: Projection | undefined): Prints {
  return { quick: quickPrint(layout, known), rest: restPrint(layout, known) };
}

export function quickPrint(layout: GoalLayout, known: Projection | undefined): string {
  const session = known?.session?.session_id;
  const journal = session === undefined ? "" : look(layout.session(session).journal);
  return `${look(layout.sessions)} ${look(layout.activeState)} ${journal}`;
}

export function restPrint(layout: GoalLayout, known: Projection | undefined): string {
  const { directory, goalJson, locks, runs } = layout;
  const head = known?.derived_from.head?.path;
  const more = head === undefined ? [] : [head.startsWith("/") ? head : join(directory, head)];
  return [directory, goalJson, locks, runs, ...more].map(look).join(" ");
}

function look(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? "-" : `${found.ino}:${found.size}:${found.ctimeMs}`;
  } catch {
    return "?";
  }
}
