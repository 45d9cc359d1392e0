import type { Disk } from "../store/disk.ts";
import { createDurable, makeDirectoryDurable, writeDurable } from "../store/durable-write.ts";
import { readText } from "../store/read.ts";
import { dirname } from "node:path";

export interface ActiveState {
  readonly goalId: string;
  readonly objective: string;
  readonly at: string;
}

/** What stands under `## Objective` until the goal text has been written. */
export const OBJECTIVE_PENDING =
  "(The objective is taken from the goal text when the first session starts.)";

/** Makes `ACTIVE_STATE.md` if there is none; an existing one belongs to its people. Returns whether it was made. */
export function createActiveState(disk: Disk, path: string, state: ActiveState): boolean {
  makeDirectoryDurable(disk, dirname(path));
  return createDurable(disk, path, renderActiveState(state));
}

/** Puts the objective in where still none stands. Leaves a file alone that is missing or that somebody has edited. */
export function fillObjective(disk: Disk, path: string, objective: string): boolean {
  const text = readText(path);
  if (text === undefined || !text.includes(OBJECTIVE_PENDING)) return false;
  writeDurable(
    disk,
    path,
    text.replace(OBJECTIVE_PENDING, () => objective),
  );
  return true;
}

/** Title and first paragraph of a goal text: enough to recognise the goal by. At most 600 characters. */
export function objectiveOf(goalText: string): string {
  const paragraphs = goalText
    .replace(/<!--[\s\S]*?-->/g, "")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim().replace(/^#+\s*/, ""))
    .filter((paragraph) => paragraph !== "");
  const objective = paragraphs.slice(0, 2).join("\n\n");
  return objective.length > 600 ? `${objective.slice(0, 599).trimEnd()}…` : objective;
}

function renderActiveState({ goalId, objective, at }: ActiveState): string {
  return `---
goal_id: ${JSON.stringify(goalId)}
updated_at: ${at}
---

## Objective

${objective}

## Next Action

## Todo

## Decisions

## Recent Feedback

## Progress
`;
}

/** First entry under `## Next Action`: the goal's durable route. Undefined when there is none. */
export function nextActionOf(text: string): string | undefined {
  const section = /^## Next Action[ \t]*\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(
    text.replace(/<!--[\s\S]*?-->/g, ""),
  )?.[1];
  const lines = (section ?? "").split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  if (first === -1) return undefined;
  const entry = [(lines[first] ?? "").replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "")];
  for (const line of lines.slice(first + 1)) {
    if (!/^\s+\S/.test(line)) break;
    entry.push(line.trim());
  }
  return entry.join(" ").trim();
}
