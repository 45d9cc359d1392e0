import { lstatSync } from "node:fs";
import { join } from "node:path";
import { placeIn } from "./add-all.ts";
import { readHead } from "./head.ts";
import type { IndexEntry } from "./index-file.ts";
import { nestedDirectory } from "./private-repository.ts";
import type { openTreeReader, TreeReaderOptions } from "./tree-reader.ts";

/** Of the paths once known as repositories of their own, those that still are. */
export function nestedRepositories(checkout: string, known: readonly string[]): string[] {
  return known.filter((path) => {
    try {
      lstatSync(Buffer.concat([placeIn(checkout, path), Buffer.from("/.git")]));
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Trees of the repositories inside a work tree: submodules, clones, linked work trees. git would record the commit
 * they claim to be at; their content is what a check sees, so their content is what counts.
 */
export async function readNested(
  checkout: string,
  paths: readonly string[],
  options: TreeReaderOptions & { objects: string },
  open: typeof openTreeReader,
): Promise<{ entries: IndexEntry[]; alternates: string[] }> {
  const entries: IndexEntry[] = [];
  const alternates: string[] = [];
  if (options.depth === 0) return { entries, alternates };
  for (const path of paths) {
    // A name that isn't UTF-8 can't be a working directory for a process started here.
    const place = join(checkout, Buffer.from(path, "latin1").toString("utf8"));
    const head = await readHead(place);
    if ("gone" in head) continue;
    const reader = await open(place, head, {
      directory: nestedDirectory(options.directory, path),
      objects: options.objects,
      depth: options.depth - 1,
    });
    const id = await reader.read(head);
    entries.push({ path, mode: 0o40000, id });
    alternates.push(join(head.commonDirectory, "objects"));
  }
  return { entries, alternates };
}
