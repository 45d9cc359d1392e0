import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import type { RuntimeLayout } from "../../store/layout.ts";
import { closest } from "../closest.ts";

/** That the directory of a goal is a real one in its place: not a link, not a file, not reached through a link. */
export function requireRealGoalDirectory(
  runtime: RuntimeLayout,
  goalId: string,
  known: readonly string[],
): string {
  const { directory } = runtime.goal(goalId);
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found === undefined) throw notFound(runtime, goalId, known);
  const unsafe = (what: string): LoopwrightError =>
    new LoopwrightError("FILE_UNSAFE", `${directory} ${what}, so it is not moved`, {
      where: directory,
      hint: "Look at what put it there.",
    });
  if (found.isSymbolicLink()) throw unsafe("is a link and not a directory");
  if (!found.isDirectory()) throw unsafe("is not a directory");
  if (dirname(realpathSync(directory)) !== realpathSync(runtime.goals)) {
    throw unsafe(`doesn't lie in ${runtime.goals}`);
  }
  return directory;
}

function notFound(
  runtime: RuntimeLayout,
  goalId: string,
  known: readonly string[],
): LoopwrightError {
  const near = closest(
    goalId,
    [...new Set([...known, ...goalsOf(runtime)])].filter((id) => id !== goalId),
  );
  return new LoopwrightError(
    "GOAL_NOT_FOUND",
    `There is no goal ${JSON.stringify(goalId)} in ${runtime.goals}`,
    {
      hint:
        near === undefined
          ? "What is archived already is shown by: loopwright archive list"
          : `Did you mean ${JSON.stringify(near)}?`,
    },
  );
}

function goalsOf(runtime: RuntimeLayout): string[] {
  try {
    return readdirSync(runtime.goals).filter((name) => !name.startsWith("."));
  } catch {
    return [];
  }
}
