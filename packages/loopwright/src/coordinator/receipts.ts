import { join } from "node:path";
import type { State } from "@loopwright/engine";
import {
  LoopwrightError,
  type Receipt,
  receipt,
  type ReceiptSummary,
  type VerificationTask,
} from "@loopwright/protocol";
import { parseJson } from "../store/read.ts";
import { readAgentFile } from "../store/agent-file.ts";
import type { SessionLayout } from "../store/session-layout.ts";

/** Receipts are ours, but lie where an agent could write: bounded, no links, and compared with what was journaled. */
const RECEIPT_LIMIT = 1024 * 1024;

/** Receipts of this session that may stand for a verification, at most 16: exactly those that the journal vouches for. */
export function reusableReceipts(layout: SessionLayout, state: State): VerificationTask["reuse"] {
  return state.gate.receipts.flatMap(({ directory, receipt: summary }) => {
    const found = readReceipt(layout, directory);
    if (found === undefined || !isSame(receiptSummary(found), summary)) return [];
    return [{ directory, receipt: found }];
  });
}

/** `receipt.json` of an evaluation; undefined when there is none that can be trusted to be one. */
export function readReceipt(layout: SessionLayout, directory: string): Receipt | undefined {
  const path = join(layout.directory, directory, "receipt.json");
  const file = readAgentFile(path, { root: layout.directory, maxBytes: RECEIPT_LIMIT });
  if (file.kind !== "text") return undefined;
  try {
    return parseJson(path, file.text, receipt);
  } catch (error) {
    if (error instanceof LoopwrightError) return undefined;
    throw error;
  }
}

/** A receipt as the journal keeps it. */
export function receiptSummary(from: Receipt): ReceiptSummary {
  return {
    tree_digest: from.tree_digest,
    outcome: from.outcome,
    checks: from.checks.map(({ id, sha256, required, outcome, detail }) =>
      detail === "" ? { id, sha256, required, outcome } : { id, sha256, required, outcome, detail },
    ),
    reused: from.reused,
    replaced: from.replaced.length,
  };
}

/**
 * One sentence about why a receipt can't be one of these checks, or undefined. A receipt that leaves a check out, runs
 * another text of it, or calls itself passed with a required check that isn't, proves nothing.
 */
export function receiptFlaw(state: State, from: Receipt, attemptId: string): string | undefined {
  if (from.session_id !== state.session_id || from.attempt_id !== attemptId)
    return "The receipt is one of another attempt.";
  const found = new Map(from.checks.map((check) => [check.id, check]));
  if (found.size !== from.checks.length) return "The receipt names a check twice.";
  for (const { id, sha256, required } of state.rules.gate.checks) {
    const check = found.get(id);
    if (check === undefined) return `The receipt has no check "${id}".`;
    if (check.sha256 !== sha256) return `The receipt's check "${id}" is not the pinned one.`;
    if (check.required !== required)
      return `The receipt's check "${id}" is not required as it was pinned.`;
    if (required && from.outcome === "pass" && check.outcome !== "pass")
      return `The receipt says "pass", but its required check "${id}" did not.`;
  }
  return found.size === state.rules.gate.checks.length
    ? undefined
    : "The receipt has checks that were not pinned.";
}

function isSame(a: ReceiptSummary, b: ReceiptSummary): boolean {
  const key = ({ tree_digest, outcome, checks }: ReceiptSummary): string =>
    JSON.stringify([
      tree_digest,
      outcome,
      checks.map((check) => [check.id, check.sha256, check.required, check.outcome]),
    ]);
  return key(a) === key(b);
}
