import { resolve } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import type { RuntimeLayout } from "../../store/layout.ts";
import { closest } from "../closest.ts";
import { type ArchivedGoal, listArchives } from "./list-archives.ts";

/** By name, by path, or by the goal's id where it is the only one. Throws ARCHIVE_NOT_FOUND or ARCHIVE_AMBIGUOUS. */
export function findArchive(runtime: RuntimeLayout, query: string): ArchivedGoal {
  const { archives } = listArchives(runtime);
  const shown = JSON.stringify(query.length > 120 ? `${query.slice(0, 120)}…` : query);
  const exact = archives.filter(({ name, path }) => name === query || path === resolve(query));
  const matches = exact.length > 0 ? exact : archives.filter((each) => each.goal_id === query);
  const [found] = matches;
  if (found === undefined) {
    const near = closest(
      query,
      archives.flatMap(({ name, goal_id: id }) => [name, id]),
    );
    throw new LoopwrightError("ARCHIVE_NOT_FOUND", `Nothing archived has the name ${shown}`, {
      hint:
        near === undefined
          ? "What there is: loopwright archive list"
          : `Did you mean ${JSON.stringify(near)}?`,
    });
  }
  if (matches.length === 1) return found;
  throw new LoopwrightError(
    "ARCHIVE_AMBIGUOUS",
    `${matches.length} archived goals have the name ${shown}`,
    {
      hint: `Say which: ${matches
        .slice(-5)
        .map(exact.length > 0 ? pathOf : nameOf)
        .join(", ")}.`,
    },
  );
}

/** The newest archive of a goal. */
export function latestArchiveOf(runtime: RuntimeLayout, goalId: string): ArchivedGoal | undefined {
  return listArchives(runtime, goalId).archives.at(-1);
}

function nameOf({ name }: ArchivedGoal): string {
  return name;
}

function pathOf({ path }: ArchivedGoal): string {
  return path;
}
