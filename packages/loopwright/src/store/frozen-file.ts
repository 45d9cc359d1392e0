import { createHash } from "node:crypto";
import type { Disk } from "./disk.ts";
import { writeDurable } from "./durable-write.ts";
import { makeOwnDirectory } from "./own-directory.ts";
import type { SessionLayout } from "./session-layout.ts";

/**
 * Writes what a journal record is about to name by its sha256, durable before this returns; a crash before that record
 * leaves a file that nobody reads. `diff` lies beside it, for people.
 */
export function writeFrozen(
  disk: Disk,
  layout: SessionLayout,
  value: object,
  diff?: string,
): { readonly sha256: string; readonly diffPath: string | null } {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  const sha256 = createHash("sha256").update(text).digest("hex");
  makeOwnDirectory(disk, layout.directory, layout.frozen);
  writeDurable(disk, layout.frozenFile(sha256), text);
  if (diff === undefined) return { sha256, diffPath: null };
  const name = `${sha256}.diff`;
  writeDurable(disk, `${layout.frozen}/${name}`, diff);
  return { sha256, diffPath: `frozen/${name}` };
}
