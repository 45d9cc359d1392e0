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

/** Where to look, worked out once. */
export interface Places {
  readonly quick: readonly string[];
  readonly rest: readonly string[];
}

export function placesOf(layout: GoalLayout, known: Projection | undefined): Places {
  const session = known?.session?.session_id;
  const head = known?.derived_from.head?.path;
  const { directory, goalJson, locks, runs, sessions, activeState } = layout;
  return {
    quick: [
      sessions,
      activeState,
      ...(session === undefined ? [] : [layout.session(session).journal]),
    ],
    rest: [
      directory,
      goalJson,
      locks,
      runs,
      ...(head === undefined ? [] : [head.startsWith("/") ? head : join(directory, head)]),
    ],
  };
}

export function printsOf({ quick, rest }: Places): Prints {
  return { quick: printOf(quick), rest: printOf(rest) };
}

export function printOf(paths: readonly string[]): string {
  let print = "";
  for (const path of paths) print += `${look(path)} `;
  return print;
}

function look(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? "-" : `${found.ino}:${found.size}:${found.ctimeMs}`;
  } catch {
    return "?";
  }
}
