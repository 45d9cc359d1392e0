import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

export interface RegistryQuestion {
  /** `--registry`. */
  readonly flag?: string | undefined;
  /** `$LOOPWRIGHT_REGISTRY`. */
  readonly environment?: string | undefined;
  readonly cwd: string;
  readonly home: string;
}

/**
 * Flag, then environment, then the nearest registry upward (Loopwright's before LoopX's), then the user's. Absolute;
 * need not exist.
 */
export function findRegistryPath({ flag, environment, cwd, home }: RegistryQuestion): string {
  if (flag !== undefined && flag !== "") return resolve(cwd, expandHome(flag, home));
  if (environment !== undefined && environment !== "") {
    return resolve(cwd, expandHome(environment, home));
  }
  for (let directory = resolve(cwd); ; directory = dirname(directory)) {
    for (const folder of [".loopwright", ".loopx"]) {
      const path = join(directory, folder, "registry.json");
      if (existsSync(path)) return path;
    }
    if (dirname(directory) === directory) return join(home, ".loopwright", "registry.json");
  }
}

/** The directory that a registry's relative paths are joined to, whatever the current directory is. */
export function registryProjectRoot(registryPath: string): string {
  const directory = dirname(resolve(registryPath));
  return [".loopwright", ".loopx"].includes(basename(directory)) ? dirname(directory) : directory;
}

/** A leading `~` or `~/` becomes the home directory; nothing else is expanded. */
export function expandHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}
