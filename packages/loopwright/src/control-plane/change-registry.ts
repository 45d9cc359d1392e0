import { type RegistryFile, SCHEMA_VERSION } from "@loopwright/protocol";
import { timestamp } from "../seams/clock.ts";
import { refuseForeign } from "./foreign-registry.ts";
import { parseRegistry } from "./registry.ts";
import { changeSharedFile, type FileSeams } from "./shared-file.ts";

/**
 * Rewrites a registry under its lock, from what stands there now; fields that nobody here knows stay. A missing one is
 * made. `change` returns undefined to leave it as it is. Throws REGISTRY_INVALID, SCHEMA_NEWER, FOREIGN_PROJECT,
 * LOCK_HELD; nothing is written then.
 */
export async function changeRegistry(
  seams: FileSeams,
  path: string,
  change: (registry: RegistryFile) => RegistryFile | undefined,
): Promise<void> {
  refuseForeign(path);
  await changeSharedFile(seams, path, (text) => {
    const empty: RegistryFile = { schema_version: SCHEMA_VERSION, goals: [] };
    const changed = change(text === undefined ? empty : parseRegistry(path, text));
    if (changed === undefined) return undefined;
    return renderRegistry({ ...changed, updated_at: timestamp(seams.clock) });
  });
}

export function renderRegistry(registry: RegistryFile): string {
  return `${JSON.stringify(registry, null, 2)}\n`;
}
