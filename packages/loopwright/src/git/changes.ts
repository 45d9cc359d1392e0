import type { ChangeSummary } from "@loopwright/protocol";
import type { Snapshot } from "./checkout-reader.ts";
import type { TreeDifference } from "./tree-diff.ts";
import type { TreeReader } from "./tree-reader.ts";

export interface FileChange {
  /** Relative to the checkout; bytes that aren't UTF-8 are shown as U+FFFD. */
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "type_changed";
  /** Lines; null where the content is binary or isn't stored any more. */
  readonly insertions: number | null;
  readonly deletions: number | null;
}

/** git before and after: what an iteration really did to its checkout, committed or not. `changes.json`. */
export interface Changes extends ChangeSummary {
  readonly tree_digest_before: string;
  readonly tree_digest: string;
  /** At most `FILE_LIMIT`, by path; `files_changed` is the true number. */
  readonly files: readonly FileChange[];
}

export const FILE_LIMIT = 500;

export async function changesBetween(
  reader: TreeReader,
  before: Snapshot,
  after: Snapshot,
): Promise<Changes> {
  const differences = await reader.difference(before.tree, after.tree);
  return {
    head_before: before.head,
    head_after: after.head,
    branch_before: before.branch,
    branch_after: after.branch,
    tree_digest_before: before.tree,
    tree_digest: after.tree,
    files: differences.slice(0, FILE_LIMIT).map(fileChange),
    files_changed: differences.length,
    insertions: total(differences.map((each) => each.insertions)),
    deletions: total(differences.map((each) => each.deletions)),
  };
}

const STATUSES: Readonly<Record<string, FileChange["status"]>> = {
  A: "added",
  D: "deleted",
  T: "type_changed",
};

function fileChange(difference: TreeDifference): FileChange {
  return {
    path: Buffer.from(difference.path, "latin1").toString("utf8"),
    status: STATUSES[difference.status] ?? "modified",
    insertions: difference.insertions,
    deletions: difference.deletions,
  };
}

function total(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
