/** What stands under `## Objective` until the goal text has been written. */
export const OBJECTIVE_PENDING =
  "(The objective is taken from the goal text when the first session starts.)";

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
