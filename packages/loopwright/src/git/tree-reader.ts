import { join } from "node:path";
import { seedIndex } from "./add-all.ts";
import { git, gitOutput, startGit } from "./git.ts";
import type { Head } from "./head.ts";
import type { IndexEntry } from "./index-file.ts";
import { nestedRepositories, readNested } from "./nested.ts";
import { createPrivateIndex, type IndexUpdate, mergeEntries } from "./private-index.ts";
import { openPrivateRepository } from "./private-repository.ts";
import { readReaderState, writeReaderState } from "./reader-state.ts";
import { createSpare } from "./spare.ts";
import { DIFF_TREE, parseTreeDiff, type TreeDifference } from "./tree-diff.ts";
import { createTreeWriter } from "./tree-objects.ts";

export interface TreeReader {
  /** Tree id of the whole work tree as it stands, nested repositories included. */
  read(head: Head): Promise<string>;
  /** What differs between two trees that were read through this repository; lines only where they can be counted. */
  difference(before: string, after: string): Promise<TreeDifference[]>;
  /** Starts the processes of the next reading ahead. */
  prepare(): void;
  close(): void;
}

export interface TreeReaderOptions {
  /** The private repository's directory. */
  readonly directory: string;
  /** Where objects go; the private repository's own place by default. */
  readonly objects?: string;
  /** Levels of nested repositories that may still follow. */
  readonly depth: number;
}

/** Reads one work tree again and again through its private repository. Calls must not overlap. */
export async function openTreeReader(
  checkout: string,
  head: Head,
  options: TreeReaderOptions,
): Promise<TreeReader> {
  const repository = await openPrivateRepository(checkout, options.directory, head);
  const { directory } = repository;
  const objects = options.objects ?? join(directory, "objects");
  const trees = createTreeWriter(objects, repository.format);
  let alternates = [join(head.commonDirectory, "objects")];
  const environment = (indexFile: string): Record<string, string> => ({
    ...repository.environment(indexFile, alternates),
    GIT_OBJECT_DIRECTORY: objects,
  });
  const index = createPrivateIndex(repository, environment);
  const inDirectory = () => ({ cwd: directory, env: environment(join(directory, "index")) });
  const updates = createSpare(
    checkout,
    () => index.start(),
    ({ file }) => index.discard(file),
  );
  const comparisons = createSpare(directory, () => ({
    git: startGit([...DIFF_TREE, "--numstat"], inDirectory()),
  }));

  const startSeeded = async (file: string, commit: string | null): Promise<IndexUpdate> => {
    await seedIndex(repository, commit, environment(file), () => index.entriesOf(file));
    return index.start(file);
  };

  /** Files that HEAD gained or lost count differently only where they are ignored, which is rare. */
  const seedMatters = async (
    old: string | null,
    now: string | null,
    entries: readonly IndexEntry[],
  ): Promise<boolean> => {
    if (old === now) return false;
    if (old === null || now === null) return true;
    const stdin = Buffer.from(`${now} ${old}\n`);
    const result = await git(DIFF_TREE, { ...inDirectory(), stdin });
    if (result.code !== 0) return true;
    const present = new Set(entries.map((entry) => entry.path));
    return parseTreeDiff(result.stdout).some(({ path, status, newMode }) =>
      status === "A"
        ? newMode !== 0o160000 && !present.has(path)
        : status === "D" && present.has(path),
    );
  };

  const readOnce = async (
    { head: now, commonDirectory }: Head,
    fresh: boolean,
  ): Promise<string> => {
    const state = readReaderState(directory);
    const nested = new Set(nestedRepositories(checkout, state.nested));
    const mustSeed = fresh || state.head === undefined;
    const waiting = mustSeed ? undefined : updates.take();
    const file = waiting?.file ?? index.copy();
    try {
      const update = waiting ?? (await startSeeded(file, now));
      let entries = await index.finish(update, nested);
      if (!mustSeed && (await seedMatters(state.head ?? null, now, entries))) {
        entries = await index.finish(await startSeeded(file, now), nested);
      }
      index.keep(file);
      writeReaderState(directory, state, { head: now, nested: [...nested] });
      const inner = await readNested(
        checkout,
        [...nested],
        { ...options, objects },
        openTreeReader,
      );
      alternates = [join(commonDirectory, "objects"), ...inner.alternates];
      return trees.write(mergeEntries(entries, inner.entries));
    } finally {
      index.discard(file);
    }
  };

  return {
    read: async (now) => {
      try {
        return await readOnce(now, false);
      } catch {
        // A damaged index or private repository is only a cache: once more from nothing before this is an error.
        index.reset();
        return await readOnce(now, true);
      }
    },
    difference: async (before, after) => {
      if (before === after) return [];
      const stdin = Buffer.from(`${before} ${after}\n`);
      const counting = comparisons.take().git.finish(stdin, 60_000);
      const counted = await counting.catch(() => undefined);
      if (counted?.code === 0) return parseTreeDiff(counted.stdout);
      // An old content was removed from the repository's objects, or counting took too long: names alone.
      return parseTreeDiff(await gitOutput(DIFF_TREE, { ...inDirectory(), stdin }));
    },
    prepare: () => {
      updates.prepare();
      comparisons.prepare();
    },
    close: () => {
      updates.close();
      comparisons.close();
    },
  };
}
