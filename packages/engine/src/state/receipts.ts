import type { ReceiptSummary, StateFile } from "@loopwright/protocol";

type Receipts = StateFile["gate"]["receipts"];

/** Enough for a tree that goes back and forth; a tree that comes back later is verified again. */
const KEPT = 16;

/** Receipts that may stand for another verification of the same tree: without error, newest first. */
export function rememberReceipt(
  receipts: Receipts,
  directory: string,
  receipt: ReceiptSummary | null,
): Receipts {
  if (receipt === null || receipt.outcome === "error" || receipt.reused !== null) return receipts;
  return [
    { directory, receipt },
    ...receipts.filter((each) => each.receipt.tree_digest !== receipt.tree_digest),
  ].slice(0, KEPT);
}
