import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The nearest folder upward with a `.git`, else the folder itself. */
export function projectRootFor(directory: string): string {
  return nearestWith(directory, ".git") ?? directory;
}

/** The nearest folder upward that has an entry of that name. */
export function nearestWith(directory: string, name: string): string | undefined {
  for (let here = directory; ; here = dirname(here)) {
    if (existsSync(join(here, name))) return here;
    if (dirname(here) === here) return undefined;
  }
}
