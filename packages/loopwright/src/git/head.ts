import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { git } from "./git.ts";
import { readPlain } from "./read-plain.ts";

export interface Head {
  readonly gitDirectory: string;
  /** Shared by all linked work trees of one repository; holds the objects. */
  readonly commonDirectory: string;
  /** Commit id; null on an unborn branch. */
  readonly head: string | null;
  /** Short branch name; null when detached. */
  readonly branch: string | null;
}

/** Returned, never thrown, when the checkout can't be read as a work tree any more: deleted, or its `.git` broken. */
export interface Gone {
  readonly gone: true;
  readonly reason: string;
}

/**
 * Where HEAD of a work tree's root points. Reads the few files itself, because a git process costs more than all the
 * rest of an iteration's evidence; git is asked where the references aren't kept in files.
 */
export async function readHead(checkout: string): Promise<Head | Gone> {
  const places = gitPlaces(checkout);
  if ("gone" in places) return places;
  return headInFiles(checkout, places) ?? askGit(checkout, places);
}

/** The same without ever asking git; undefined where only git could say. */
export function readHeadFiles(checkout: string): Head | Gone | undefined {
  const places = gitPlaces(checkout);
  return "gone" in places ? places : headInFiles(checkout, places);
}

function headInFiles(
  checkout: string,
  places: Pick<Head, "gitDirectory" | "commonDirectory">,
): Head | Gone | undefined {
  const text = readPlain(join(places.gitDirectory, "HEAD"), 4096)?.trim();
  if (text === undefined) return gone(`${checkout} has no readable HEAD any more`);
  if (OBJECT_ID.test(text)) return { ...places, head: text, branch: null };
  const reference = /^ref: (refs\/\S+)$/.exec(text)?.[1];
  if (reference === undefined || reference === "refs/heads/.invalid") return undefined;
  const head = resolveReference(places.commonDirectory, reference, 5);
  if (head === undefined) return undefined;
  return { ...places, head, branch: shortName(reference) };
}

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

function gitPlaces(checkout: string): Pick<Head, "gitDirectory" | "commonDirectory"> | Gone {
  try {
    if (!lstatSync(checkout).isDirectory()) return gone(`${checkout} is no directory any more`);
  } catch {
    return gone(`${checkout} does not exist any more`);
  }
  try {
    const dotGit = join(checkout, ".git");
    let gitDirectory = realpathSync(dotGit);
    if (!lstatSync(gitDirectory).isDirectory()) {
      const target = /^gitdir: ([^]+?)[\r\n]*$/.exec(readPlain(gitDirectory, 8192) ?? "")?.[1];
      if (target === undefined) return gone(`${dotGit} names no git directory`);
      gitDirectory = realpathSync(resolve(dirname(gitDirectory), target));
    }
    return { gitDirectory, commonDirectory: commonDirectory(gitDirectory) };
  } catch {
    return gone(`${checkout} is not a git work tree any more`);
  }
}

function commonDirectory(gitDirectory: string): string {
  // Only the end of its line is no part of a path, as for git.
  const text = readPlain(join(gitDirectory, "commondir"), 8192)?.replace(/[\r\n]+$/, "");
  return text === undefined ? gitDirectory : realpathSync(resolve(gitDirectory, text));
}

/** null: the branch has no commit yet. undefined: these files don't say; ask git. */
function resolveReference(
  common: string,
  reference: string,
  depth: number,
): string | null | undefined {
  if (depth === 0 || reference.split("/").includes("..")) return undefined;
  const loose = readPlain(join(common, reference))?.trim();
  if (loose !== undefined) {
    if (OBJECT_ID.test(loose)) return loose;
    const next = /^ref: (refs\/\S+)$/.exec(loose)?.[1];
    return next === undefined ? undefined : resolveReference(common, next, depth - 1);
  }
  const packed = readPlain(join(common, "packed-refs")) ?? "";
  const line = packed.split("\n").find((entry) => entry.endsWith(` ${reference}`));
  const id = line?.slice(0, line.indexOf(" "));
  if (id !== undefined) return OBJECT_ID.test(id) ? id : undefined;
  return null;
}

async function askGit(
  checkout: string,
  places: Pick<Head, "gitDirectory" | "commonDirectory">,
): Promise<Head | Gone> {
  const options = {
    cwd: checkout,
    env: { GIT_CEILING_DIRECTORIES: dirname(checkout) },
    timeout: 10_000,
  };
  const [commit, symbolic] = await Promise.all([
    git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], options),
    git(["symbolic-ref", "--quiet", "HEAD"], options),
  ]);
  const reference = symbolic.stdout.toString("utf8").trim();
  if (commit.code !== 0 && symbolic.code !== 0) return gone(`git can't read HEAD of ${checkout}`);
  return {
    ...places,
    head: commit.code === 0 ? commit.stdout.toString("utf8").trim() : null,
    branch: symbolic.code === 0 ? shortName(reference) : null,
  };
}

function shortName(reference: string): string {
  return reference.startsWith("refs/heads/") ? reference.slice("refs/heads/".length) : reference;
}

export function gone(reason: string): Gone {
  return { gone: true, reason };
}
