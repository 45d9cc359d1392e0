import { copyFileSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { ADD_ALL, addAllInput, addedMostly, notAdded, removeFromIndex } from "./add-all.ts";
import { firstLine, type StartedGit, startGit } from "./git.ts";
import { type IndexEntry, isGitlink, readIndexEntries } from "./index-file.ts";
import type { PrivateRepository } from "./private-repository.ts";

/** An index that one call has for itself, and the `git add` that will bring it up to date. */
export interface IndexUpdate {
  readonly git: StartedGit;
  readonly file: string;
}

/** The index of a private repository. Every call works on a copy, so that no call waits for or breaks another's. */
export interface PrivateIndex {
  /** A fresh copy of the index. */
  copy(): string;
  start(file?: string): IndexUpdate;
  /**
   * Finishes an update: the entries of everything in the tree, sorted by path, nested repositories left out and their
   * paths added to `nested`. Throws when git can't; the caller starts over from nothing.
   */
  finish(update: IndexUpdate, nested: Set<string>): Promise<readonly IndexEntry[]>;
  entriesOf(file: string): readonly IndexEntry[] | undefined;
  /** Makes this copy the one that later calls start from. */
  keep(file: string): void;
  discard(file: string): void;
  /** Forgets everything, after damage. */
  reset(): void;
}

export function createPrivateIndex(
  repository: PrivateRepository,
  environment: (indexFile: string) => Record<string, string>,
): PrivateIndex {
  const shared = join(repository.directory, "index");
  const cwd = repository.checkout;
  let memory: { entries: readonly IndexEntry[]; checksum: string } | undefined;

  const copy = (): string => {
    const file = repository.newIndexPath();
    copyIfThere(shared, file);
    return file;
  };

  const entriesOf = (file: string): readonly IndexEntry[] | undefined => {
    const index = readIfThere(file);
    if (index === undefined) return [];
    const checksum = index.toString("hex", Math.max(0, index.length - 32));
    if (memory?.checksum === checksum) return memory.entries;
    const entries = readIndexEntries(index, repository.format);
    memory = entries === undefined ? undefined : { entries, checksum };
    return entries;
  };

  return {
    copy,
    start: (file = copy()) => ({ git: startGit(ADD_ALL, { cwd, env: environment(file) }), file }),
    finish: async ({ git, file }, nested) => {
      const result = await git.finish(addAllInput([...nested]));
      if (!addedMostly(result)) throw unreadable(cwd, firstLine(result.stderr));
      const entries = entriesOf(file);
      if (entries === undefined) throw unreadable(cwd, "its index can't be read");
      const links = entries.filter(isGitlink);
      for (const link of links) nested.add(link.path);
      await removeFromIndex(repository, environment(file), links);
      const files = links.length === 0 ? entries : entries.filter((entry) => !isGitlink(entry));
      if (result.code === 0) return files;
      const missed = await notAdded(repository, environment(file));
      for (const path of missed.nested) nested.add(path);
      return mergeEntries(files, missed.entries);
    },
    entriesOf,
    // Last writer wins: an index only says what each file looked like, and is true for whoever wrote it.
    keep: (file) => renameSync(file, shared),
    discard: (file) => {
      rmSync(file, { force: true });
      rmSync(`${file}.lock`, { force: true });
    },
    reset: () => {
      memory = undefined;
      rmSync(shared, { force: true });
    },
  };
}

/** Sorted as in a tree, where a directory sorts as `name/`; of two with one path the later wins. None more: the same. */
export function mergeEntries(
  entries: readonly IndexEntry[],
  more: readonly IndexEntry[],
): readonly IndexEntry[] {
  if (more.length === 0) return entries;
  const all = new Map([...entries, ...more].map((entry) => [entry.path, entry]));
  const key = (entry: IndexEntry): string =>
    entry.mode === 0o40000 ? `${entry.path}/` : entry.path;
  return [...all.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function unreadable(checkout: string, reason: string): LoopwrightError {
  return new LoopwrightError("GIT_FAILED", `git can't read the work tree ${checkout}: ${reason}`);
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch {
    // No index yet: git begins an empty one.
  }
}
