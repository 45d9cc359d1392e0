import { existsSync } from "node:fs";
import { join } from "node:path";
import { git } from "./git.ts";
import { readHead } from "./head.ts";
import { alternatesValue } from "./private-repository.ts";

/** What one file's diff is, as far as it can still be made. */
export type FileDiff =
  | { readonly available: true; readonly text: string; readonly truncated: boolean }
  /** The trees aren't stored any more, or never were. */
  | { readonly available: false };

const LIMIT_BYTES = 1024 * 1024;
const TREE = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * One path between two trees that were read through a checkout's private repository (`directory`). Nothing of the
 * checkout's own configuration is read and nothing is written.
 */
export async function fileDiff(
  directory: string,
  checkout: string,
  trees: { readonly before: string; readonly after: string },
  path: string,
): Promise<FileDiff> {
  if (!TREE.test(trees.before) || !TREE.test(trees.after)) return { available: false };
  if (!existsSync(join(directory, "objects"))) return { available: false };
  const head = await readHead(checkout);
  const alternates = "gone" in head ? [] : [join(head.commonDirectory, "objects")];
  const flags = ["-r", "-p", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"];
  const { code, stdout } = await git(
    ["--literal-pathspecs", "diff-tree", ...flags, trees.before, trees.after, "--", path],
    {
      cwd: directory,
      timeout: 10_000,
      env: {
        GIT_DIR: directory,
        GIT_OBJECT_DIRECTORY: join(directory, "objects"),
        GIT_ALTERNATE_OBJECT_DIRECTORIES: alternatesValue(alternates),
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_ATTR_NOSYSTEM: "1",
      },
    },
  );
  if (code !== 0) return { available: false };
  const truncated = stdout.length > LIMIT_BYTES;
  return { available: true, text: stdout.subarray(0, LIMIT_BYTES).toString("utf8"), truncated };
}
