import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { RegistryFile } from "@loopwright/protocol";
import { expandHome, registryProjectRoot } from "./registry-path.ts";

export interface RuntimeRootOptions {
  /** `--runtime-root`. */
  readonly override?: string | null | undefined;
  /** Of the registry file; it need not exist. */
  readonly registryPath: string;
  /** Default: the user's home directory. */
  readonly home?: string;
}

/**
 * Where all runtime data of a registry's goals lives: override, else `common_runtime_root`, else the default. `~`
 * expands; a relative path is joined to the registry's project root, never to the current directory. Absolute; need
 * not exist.
 */
export function resolveRuntimeRoot(
  registry: Pick<RegistryFile, "common_runtime_root">,
  { override, registryPath, home = homedir() }: RuntimeRootOptions,
): string {
  const chosen = present(override) ?? present(registry.common_runtime_root);
  if (chosen === undefined) return defaultRuntimeRoot(registryPath, home);
  const expanded = expandHome(chosen, home);
  return isAbsolute(expanded)
    ? resolve(expanded)
    : resolve(registryProjectRoot(registryPath), expanded);
}

function present(path: string | null | undefined): string | undefined {
  return path === null || path === undefined || path === "" ? undefined : path;
}

/** A registry in `.loopx/` is a LoopX project's own and is read where LoopX keeps its data. */
function defaultRuntimeRoot(registryPath: string, home: string): string {
  const folder = basename(dirname(resolve(registryPath)));
  return folder === ".loopx" ? join(home, ".codex", "loopx") : join(home, ".loopwright");
}
