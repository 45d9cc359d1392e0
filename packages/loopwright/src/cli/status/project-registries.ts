import { existsSync } from "node:fs";
import { LoopwrightError } from "@loopwright/protocol";
import { notedProjects } from "../../control-plane/projects.ts";
import type { Context } from "../context.ts";
import { openRegistry, realRegistryPath, type RegistryTarget } from "../target.ts";

/**
 * The registry in force, then all that were noted and still exist, each once and read where it lies. One that can't be
 * read is warned of and doesn't hide the others.
 */
export function projectRegistries(context: Context, target: RegistryTarget): RegistryTarget[] {
  const seen = new Set([realRegistryPath(target.registryPath)]);
  const found = [target];
  for (const path of notedProjects(context.home)) {
    const real = realRegistryPath(path);
    if (seen.has(real) || !existsSync(path)) continue;
    seen.add(real);
    try {
      found.push(openRegistry(context, path));
    } catch (error) {
      if (!(error instanceof LoopwrightError)) throw error;
      context.output.warn(error.message);
    }
  }
  return found;
}
