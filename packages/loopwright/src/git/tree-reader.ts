import { copyFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import {
  ADD_ALL,
  addAllInput,
  addedMostly,
  notAdded,
  removeFromIndex,
  seedIndex,
} from "./add-all.ts";
import { firstLine, git, type StartedGit, startGit } from "./git.ts";
import type { Head } from "./head.ts";
import { type IndexEntry, isGitlink, readIndexEntries } from "./index-file.ts";
import { nestedRepositories, readNested } from "./nested.ts";
import { openPrivateRepository, type PrivateRepository } from "./private-repository.ts";
import { createSpare } from "./spare.ts";
import { DIFF_TREE, parseTreeDiff } from "./tree-diff.ts";
import { createTreeWriter } from "./tree-objects.ts";

export interface TreeReader {
  readonly repository: PrivateRepository;
  /** Tree id of the whole work tree as it stands, nested repositories included. */
  read(head: Head): Promise<string>;
  environment(indexFile?: string): Record<string, string>;
  prepare(): void;
  close(): void;
}

export interface TreeReaderOptions {
  /** The private repository's directory. */
  readonly directory: string;
  /** Keep a git started ahead. */
  readonly ahead: boolean;
  /** Where objects go; the private repository's own by default. */
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
  const shared = join(repository.directory, "index");
  const objects = options.objects ?? join(repository.directory, "objects");
  const trees = createTreeWriter(objects, repository.format);
  let alternates = [join(head.commonDirectory, "objects")];
  const environment = (indexFile = shared): Record<string, string> => ({
    ...repository.environment(indexFile, alternates),
    GIT_OBJECT_DIRECTORY: objects,
  });
  let spareIndex: string | undefined;
  const spare = createSpare(checkout, options.ahead, () => {
    if (spareIndex !== undefined) rmSync(spareIndex, { force: true });
    spareIndex = repository.newIndexPath();
    copyIfThere(shared, spareIndex);
    return startGit(ADD_ALL, { cwd: checkout, env: environment(spareIndex) });
  });
  let memory: { entries: readonly IndexEntry[]; mark: string } | undefined;

  const entriesOf = (indexFile: string): readonly IndexEntry[] | undefined => {
    const stat = statSync(indexFile, { throwIfNoEntry: false, bigint: true });
    if (stat === undefined) return [];
    const index = readFileSync(indexFile);
    const mark = index.toString("latin1", Math.max(0, index.length - 32));
    if (memory !== undefined && memory.mark === mark) return memory.entries;
    const entries = readIndexEntries(index, repository.format);
    memory = entries === undefined ? undefined : { entries, mark };
    return entries;
  };

  /** Brings one call's own index up to the tree. Throws when git can't; the caller starts over from nothing. */
  const update = async (
    started: StartedGit | undefined,
    index: string,
    nested: Set<string>,
  ): Promise<readonly IndexEntry[]> => {
    const env = environment(index);
    const input = addAllInput([...nested]);
    const result = await (started === undefined
      ? git(ADD_ALL, { cwd: checkout, env, stdin: input })
      : started.finish(input));
    if (!addedMostly(result)) throw unreadable(checkout, result.stderr);
    const entries = entriesOf(index);
    if (entries === undefined) throw unreadable(checkout, "its index can't be read");
    const links = entries.filter(isGitlink);
    await removeFromIndex(repository, env, links);
    for (const link of links) nested.add(link.path);
    if (result.code === 0) return entries.filter((entry) => !isGitlink(entry));
    const missed = await notAdded(repository, env);
    for (const path of missed.nested) nested.add(path);
    return merged(entries, missed.entries);
  };

  const readOnce = async (head: Head, fresh: boolean): Promise<string> => {
    const before = readState(repository.directory);
    const nested = new Set(nestedRepositories(checkout, before.nested));
    const seed = fresh || before.head === undefined;
    const started = seed ? undefined : spare.take();
    const index = seed || spareIndex === undefined ? repository.newIndexPath() : spareIndex;
    spareIndex = undefined;
    try {
      if (seed) await seedIndex(repository, head.head, environment(index), () => entriesOf(index));
      let entries = await update(started, index, nested);
      if (!seed && (await seedMatters(before.head ?? null, head.head, entries))) {
        await seedIndex(repository, head.head, environment(index), () => entriesOf(index));
        entries = await update(undefined, index, nested);
      }
      // Last writer wins: the index is a cache of what each file looked like, true for whoever wrote it.
      renameSync(index, shared);
      writeState(repository.directory, before, { head: head.head, nested: [...nested] });
      const inner = await readNested(checkout, [...nested], { ...options, objects }, openTreeReader);
      alternates = [join(head.commonDirectory, "objects"), ...inner.alternates];
      return trees.write(merged(entries, inner.entries));
    } finally {
      rmSync(index, { force: true });
      rmSync(`${index}.lock`, { force: true });
    }
  };

  /** Files that HEAD gained or lost count differently only where they are ignored, which is rare. */
  const seedMatters = async (
    old: string | null,
    now: string | null,
    entries: readonly IndexEntry[],
  ): Promise<boolean> => {
    if (old === now) return false;
    if (old === null || now === null) return true;
    const result = await git([...DIFF_TREE], {
      cwd: checkout,
      env: environment(),
      stdin: Buffer.from(`${now} ${old}\n`),
    });
    if (result.code !== 0) return true;
    const present = new Set(entries.map((entry) => entry.path));
    return parseTreeDiff(result.stdout).some(({ path, status, newMode }) =>
      status === "A" ? newMode !== 0o160000 && !present.has(path) : status === "D" && present.has(path),
    );
  };

  return {
    repository,
    environment,
    prepare: () => spare.prepare(),
    close: () => {
      spare.close();
      if (spareIndex !== undefined) rmSync(spareIndex, { force: true });
    },
    read: async (head) => {
      try {
        return await readOnce(head, false);
      } catch {
        // A damaged index or private repository is only a cache: once more from nothing before this is an error.
        rmSync(shared, { force: true });
        memory = undefined;
        return await readOnce(head, true);
      }
    },
  };
}

function unreadable(checkout: string, stderr: string): LoopwrightError {
  const line = firstLine(stderr);
  return new LoopwrightError("GIT_FAILED", `git can't read the work tree ${checkout}: ${line}`);
}

/** Sorted as in a tree, where a directory sorts as `name/`; of two with one path the later wins. */
function merged(
  entries: readonly IndexEntry[],
  more: readonly IndexEntry[],
): readonly IndexEntry[] {
  const plain = entries.filter((entry) => !isGitlink(entry));
  if (more.length === 0) return plain;
  const all = new Map([...plain, ...more].map((entry) => [entry.path, entry]));
  const key = (entry: IndexEntry): string =>
    entry.mode === 0o40000 ? `${entry.path}/` : entry.path;
  return [...all.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

interface State {
  /** HEAD that the index was seeded from; undefined: never. */
  readonly head: string | null | undefined;
  readonly nested: readonly string[];
}

function readState(directory: string): State {
  try {
    const state = JSON.parse(readFileSync(join(directory, "state.json"), "utf8")) as Partial<State>;
    return { head: state.head, nested: state.nested ?? [] };
  } catch {
    return { head: undefined, nested: [] };
  }
}

/** Written after the index: a crash between leaves an older HEAD here, which only costs a comparison. */
function writeState(directory: string, before: State, state: State): void {
  if (JSON.stringify(before) === JSON.stringify(state)) return;
  const temporary = join(directory, `state.${process.pid}.tmp`);
  writeFileSync(temporary, JSON.stringify(state));
  renameSync(temporary, join(directory, "state.json"));
}

function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch {
    // No index yet: git begins an empty one.
  }
}
