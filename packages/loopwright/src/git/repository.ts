import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { firstLine, git } from "./git.ts";
import { readHead } from "./head.ts";

export interface RepositoryFacts {
  /** Real path of the work tree. */
  readonly root: string;
  readonly gitDirectory: string;
  readonly commonDirectory: string;
  readonly head: string | null;
  readonly branch: string | null;
}

export type RepositoryProblem = {
  readonly problem: "not_a_repository" | "no_commit" | "bare";
};

/**
 * What a directory, or any directory above it, is a work tree of. `no_commit` is a problem because there would be
 * nothing to compare with; everything else (no remote, detached, linked work tree) is fine.
 * Throws GIT_FAILED when git refuses the repository, for example because somebody else owns it.
 */
export async function repositoryFacts(
  directory: string,
): Promise<RepositoryFacts | RepositoryProblem> {
  if (!isDirectory(directory)) return { problem: "not_a_repository" };
  const result = await git(["rev-parse", "--is-bare-repository", "--show-toplevel"], {
    cwd: directory,
  });
  // A path may hold newlines itself: it is all that follows the first line.
  const [, bare, toplevel] =
    /^(true|false)\n(?:([^]+)\n)?$/.exec(result.stdout.toString("utf8")) ?? [];
  if (bare === "true") return { problem: "bare" };
  if (result.code !== 0 || toplevel === undefined) return refusal(directory, result.stderr);
  const root = realpathSync(resolve(directory, toplevel));
  const head = await readHead(root);
  if ("gone" in head) return { problem: "not_a_repository" };
  if (head.head === null) return { problem: "no_commit" };
  return { root, ...head };
}

function refusal(directory: string, stderr: string): RepositoryProblem {
  const line = firstLine(stderr);
  if (/not a git repository|must be run in a work tree/.test(line)) {
    return { problem: "not_a_repository" };
  }
  const message = `git refuses the repository at ${directory}: ${line}`;
  const hint = `git config --global --add safe.directory '${directory}'`;
  throw new LoopwrightError(
    "GIT_FAILED",
    message,
    line.includes("dubious ownership") ? { hint } : {},
  );
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
