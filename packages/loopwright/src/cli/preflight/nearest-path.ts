import { readdirSync } from "node:fs";
import { join } from "node:path";
import { closest } from "../../control-plane/closest.ts";

/** The path below a folder that a mistyped one most likely meant: each name is there, or near enough to one that is. */
export function nearestPath(root: string, path: string): string | undefined {
  let found = "";
  for (const name of path.split("/").filter((part) => part !== "" && part !== ".")) {
    const names = namesIn(join(root, found));
    const next = names.includes(name) ? name : closest(name, names);
    if (next === undefined) return undefined;
    found = join(found, next);
  }
  return found === "" ? undefined : found;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
