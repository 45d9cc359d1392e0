import { realpathSync } from "node:fs";
import { type Changes, changesBetween } from "./changes.ts";
import { gone, type Gone, readHead } from "./head.ts";
import { removeLeftovers } from "./private-repository.ts";
import { placeOf } from "./spare.ts";
import { openTreeReader, type TreeReader } from "./tree-reader.ts";

/** What a work tree is at one moment. */
export interface Snapshot {
  readonly head: string | null;
  readonly branch: string | null;
  /** Tree id of all its content: tracked and untracked files that aren't ignored, and tracked ignored ones. */
  readonly tree: string;
}

export interface CheckoutOptions {
  /**
   * A directory outside the repository, of ours alone, made when missing: index and objects of the private
   * repository through which the checkout is read. Only a cache; keep it between calls, and between sessions of one
   * checkout, because the first reading hashes every file.
   */
  readonly indexPath: string;
}

export interface CheckoutReader {
  snapshot(): Promise<Snapshot | Gone>;
  /** What happened since `before`, and the snapshot to compare the next time with. */
  evidence(before: Snapshot): Promise<{ changes: Changes; after: Snapshot } | Gone>;
  /**
   * Starts the git processes of the next reading, which then costs a few milliseconds less each. Starting blocks for
   * about ten: call it while an agent runs.
   */
  prepare(): void;
  /** Ends the waiting processes; they also end with this process. */
  close(): void;
}

/** Reads one checkout repeatedly. */
export function openCheckoutReader(
  checkout: string,
  { indexPath }: CheckoutOptions,
): CheckoutReader {
  let reader: TreeReader | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };

  const take = async (): Promise<Snapshot | Gone> => {
    const root = realPath(checkout);
    if (root === undefined) return gone(`${checkout} does not exist any more`);
    const place = placeOf(root);
    const head = await readHead(root);
    if ("gone" in head) return head;
    if (reader === undefined) {
      removeLeftovers(indexPath, Date.now());
      reader = await openTreeReader(root, head, { directory: indexPath, depth: 8 });
    }
    let tree: string;
    try {
      tree = await reader.read(head);
    } catch (error) {
      const now = await readHead(root);
      if ("gone" in now) return now;
      throw error;
    }
    // A tree that was removed while it was read looks like one whose files were deleted.
    const after = await readHead(root);
    if ("gone" in after) return after;
    if (placeOf(root) !== place) return gone(`${checkout} was replaced while it was read`);
    return { head: after.head, branch: after.branch, tree };
  };

  return {
    snapshot: () => inTurn(take),
    evidence: (before) =>
      inTurn(async () => {
        const after = await take();
        if ("gone" in after || reader === undefined) return after as Gone;
        return { changes: await changesBetween(reader, before, after), after };
      }),
    prepare: () => reader?.prepare(),
    close: () => reader?.close(),
  };
}

/** Tree id of the work tree as it stands: `git write-tree` after `git add -A`, on an index of our own. */
export async function treeDigest(
  checkout: string,
  options: CheckoutOptions,
): Promise<string | Gone> {
  const snapshot = await takeSnapshot(checkout, options);
  return "gone" in snapshot ? snapshot : snapshot.tree;
}

export async function takeSnapshot(
  checkout: string,
  options: CheckoutOptions,
): Promise<Snapshot | Gone> {
  return once(checkout, options, (reader) => reader.snapshot());
}

export async function evidence(
  checkout: string,
  before: Snapshot,
  options: CheckoutOptions,
): Promise<Changes | Gone> {
  const found = await once(checkout, options, (reader) => reader.evidence(before));
  return "gone" in found ? found : found.changes;
}

async function once<T>(
  checkout: string,
  options: CheckoutOptions,
  use: (reader: CheckoutReader) => Promise<T>,
): Promise<T> {
  const reader = openCheckoutReader(checkout, options);
  try {
    return await use(reader);
  } finally {
    reader.close();
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
