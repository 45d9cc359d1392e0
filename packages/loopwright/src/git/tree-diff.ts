/** One path that differs between two trees. */
export interface TreeDifference {
  /** `latin1`, one character per byte. */
  readonly path: string;
  readonly status: string;
  readonly oldMode: number;
  readonly newMode: number;
  /** Lines; null for binary content. */
  readonly insertions: number | null;
  readonly deletions: number | null;
}

/** Reads `<old> <new>` from its standard input; renames stay a deletion and an addition, so counts are exact. */
export const DIFF_TREE: readonly string[] = [
  "diff-tree",
  "--stdin",
  "-r",
  "-z",
  "--no-commit-id",
  "--no-renames",
  "--no-ext-diff",
  "--no-textconv",
  "--raw",
];

/** Parses what `diff-tree -z --raw [--numstat]` prints for one pair. */
export function parseTreeDiff(output: Buffer): TreeDifference[] {
  const newline = output.indexOf(10);
  const first = newline === -1 ? "" : output.toString("latin1", 0, newline);
  const start = /^[0-9a-f]+ [0-9a-f]+$/.test(first) ? newline + 1 : 0;
  const fields = output.toString("latin1", start).split("\0");
  const differences = new Map<string, TreeDifference>();
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? "";
    if (field.startsWith(":")) {
      const [oldMode = "0", newMode = "0", , , status = ""] = field.slice(1).split(" ");
      at += 1;
      const path = fields[at] ?? "";
      differences.set(path, {
        path,
        status,
        oldMode: Number.parseInt(oldMode, 8),
        newMode: Number.parseInt(newMode, 8),
        insertions: null,
        deletions: null,
      });
      continue;
    }
    const counts = /^(\d+|-)\t(\d+|-)\t/.exec(field);
    if (counts === null) continue;
    const path = field.slice(counts[0].length);
    const known = differences.get(path);
    if (known === undefined) continue;
    differences.set(path, {
      ...known,
      insertions: lines(counts[1]),
      deletions: lines(counts[2]),
    });
  }
  return [...differences.values()];
}

function lines(text: string | undefined): number | null {
  return text === undefined || text === "-" ? null : Number(text);
}
