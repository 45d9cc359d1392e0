import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runOrThrow } from "./run.ts";

/** Files of the checkout that git tracks or would track, from the root, with `/`. */
export function sourceFiles(...patterns: string[]): string[] {
  const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  return runOrThrow("git", [...listed, "--", ...patterns])
    .split("\0")
    .filter((path) => path !== "" && read(path) !== undefined)
    .toSorted();
}

/** Undefined where the file is listed and no longer there. */
export function read(path: string): string | undefined {
  try {
    return readFileSync(join(ROOT, path), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
