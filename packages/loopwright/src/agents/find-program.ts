import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Path of an executable: itself if it has a slash, else the first on `path` (as in PATH). Undefined if there is none. */
export function findProgram(program: string, path: string): string | undefined {
  if (program.includes("/")) return isExecutable(program) ? program : undefined;
  return path
    .split(delimiter)
    .filter((directory) => directory !== "")
    .map((directory) => join(directory, program))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
