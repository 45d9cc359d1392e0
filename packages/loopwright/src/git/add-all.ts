import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { git, gitOutput, type GitResult } from "./git.ts";
import { type IndexEntry, isGitlink } from "./index-file.ts";
import type { PrivateRepository } from "./private-repository.ts";
import { blobId } from "./tree-objects.ts";

/** Takes the paths from its standard input, so that it can be started before they are known. */
export const ADD_ALL: readonly string[] = [
  "add",
  "--all",
  "--ignore-errors",
  "--pathspec-from-file=-",
  "--pathspec-file-nul",
];

/** Everything of the tree but the repositories nested in it, which are read on their own. */
export function addAllInput(nested: readonly string[]): Buffer {
  const excludes = nested.map((path) => `:(exclude,top,literal)${path}`);
  return Buffer.from([".", ...excludes].join("\0"), "latin1");
}

/** git's own exit codes: 1 means that some paths could not be read and all others were. */
export function addedMostly(result: GitResult): boolean {
  return result.code === 0 || result.code === 1;
}

/**
 * What `git add` could not take: nested repositories without a commit, files that may not be read, names that git
 * refuses. They must not escape the digest: a file counts with its content, or as unreadable.
 */
export async function notAdded(
  repository: PrivateRepository,
  env: Record<string, string>,
): Promise<{ nested: string[]; entries: IndexEntry[] }> {
  const listed = await gitOutput(
    ["ls-files", "-z", "--others", "--modified", "--exclude-standard"],
    { cwd: repository.checkout, env },
  );
  const paths = [...new Set(listed.toString("latin1").split("\0"))].filter((path) => path !== "");
  const nested = paths.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
  const entries = paths
    .filter((path) => !path.endsWith("/"))
    .flatMap((path) => entryOf(repository, path) ?? []);
  return { nested, entries };
}

function entryOf(repository: PrivateRepository, path: string): IndexEntry | undefined {
  const place = placeIn(repository.checkout, path);
  try {
    const stat = lstatSync(place);
    if (stat.isSymbolicLink()) {
      const target = readlinkSync(place, { encoding: "buffer" });
      return { path, mode: 0o120000, id: blobId(target, repository.format) };
    }
    if (!stat.isFile()) return undefined;
    const mode = (stat.mode & 0o100) === 0 ? 0o100644 : 0o100755;
    return { path, mode, id: blobId(contentOf(place), repository.format) };
  } catch {
    return undefined;
  }
}

function contentOf(place: Buffer): Uint8Array {
  try {
    return readFileSync(place);
  } catch {
    return Buffer.from("unreadable\n");
  }
}

/** The file behind a `latin1` path, whatever bytes it has. */
export function placeIn(checkout: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(join(checkout, "/")), Buffer.from(path, "latin1")]);
}

/**
 * Starts an index over from HEAD's files, so that files count which are tracked although they are ignored. Other
 * repositories' entries are left out: their content counts, not the commit that they claim.
 */
export async function seedIndex(
  repository: PrivateRepository,
  head: string | null,
  env: Record<string, string>,
  readEntries: () => readonly IndexEntry[] | undefined,
): Promise<void> {
  const options = { cwd: repository.checkout, env };
  const seeded = head === null ? undefined : await git(["read-tree", "-m", head], options);
  // An unreadable HEAD (its objects removed, a broken repository) only loses the tracked ignored files.
  if (seeded?.code !== 0) await gitOutput(["read-tree", "--empty"], options);
  await removeFromIndex(repository, env, (readEntries() ?? []).filter(isGitlink));
}

export async function removeFromIndex(
  repository: PrivateRepository,
  env: Record<string, string>,
  entries: readonly IndexEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const nothing = "0".repeat(repository.format === "sha1" ? 40 : 64);
  const lines = entries.map((entry) => `0 ${nothing}\t${entry.path}\0`).join("");
  await gitOutput(["update-index", "-z", "--index-info"], {
    cwd: repository.checkout,
    env,
    stdin: Buffer.from(lines, "latin1"),
  });
}
