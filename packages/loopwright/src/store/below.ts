import { join, sep } from "node:path";

/**
 * Joins names to a directory. For names that are plain ones: they aren't looked at, which `path.join` does each time,
 * and thousands of goals have dozens of places each.
 */
export function below(directory: string): (...names: string[]) => string {
  const start = join(directory, "x").slice(0, -1);
  return (...names) => start + names.join(sep);
}
