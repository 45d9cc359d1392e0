import type { ReceiptSummary, StateFile } from "@loopwright/protocol";

type Receipts = StateFile["gate"]["receipts"];

/** Enough for a person who checks while a session waits. */
const KEPT = 16;

/**
 * Receipts that may stand for another verification of the same tree: without error, newest first, and taken since the
 * last agent was assigned. Who resumes a session may have mended what the checks need, so that ends them too.
 */
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
