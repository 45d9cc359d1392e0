import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Everything below some directories: path to what is there. Two are equal only if nothing was made, changed or removed. */
export function snapshotOf(...directories: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const directory of directories) look(directory, found);
  return found;
}

function look(path: string, found: Record<string, string>): void {
  if (!existsSync(path)) return;
  const { mode, mtimeMs } = lstatSync(path);
  const kind = lstatSync(path);
  const content = kind.isSymbolicLink()
    ? readlinkSync(path)
    : kind.isFile()
      ? createHash("sha256").update(readFileSync(path)).digest("hex")
      : "";
  found[path] = [mode.toString(8), mtimeMs, content].join(" ");
  if (kind.isDirectory()) for (const name of readdirSync(path)) look(join(path, name), found);
}
