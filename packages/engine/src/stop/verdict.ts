import type { CheckOutcome, ReceiptSummary, Rules } from "@loopwright/protocol";
import { compareIds } from "../schedule/rank.ts";

type Gate = Rules["gate"];

/**
 * What a receipt says about the pinned checks. The checks of the rules decide what must have run: a required one that
 * the receipt lacks, or has with another hash, is an error, as is a receipt that couldn't be made.
 */
export function verdict(gate: Gate, receipt: ReceiptSummary | null): CheckOutcome {
  if (receipt === null) return "error";
  const outcomes = new Set(
    gate.checks.filter((check) => check.required).map((check) => outcomeOf(receipt, check)),
  );
  if (outcomes.has("error")) return "error";
  return outcomes.has("fail") ? "fail" : "pass";
}

/** Pinned checks of the given outcome, sorted; a check that the receipt lacks has errored. */
export function checksThat(outcome: CheckOutcome, gate: Gate, receipt: ReceiptSummary): string[] {
  return gate.checks
    .filter((check) => outcomeOf(receipt, check) === outcome)
    .map((check) => check.id)
    .toSorted(compareIds);
}

export function requiredChecksThat(
  outcome: CheckOutcome,
  gate: Gate,
  receipt: ReceiptSummary,
): string[] {
  const required = new Set(gate.checks.filter((check) => check.required).map((check) => check.id));
  return checksThat(outcome, gate, receipt).filter((id) => required.has(id));
}

/**
 * Red before green: a passing receipt meets the goal only if a required check that was once red passes in it.
 * `gate.baseline: allow_green` asks for none.
 */
export function wentGreen(
  gate: Gate,
  redChecks: readonly string[],
  receipt: ReceiptSummary,
): boolean {
  if (gate.baseline === "allow_green") return true;
  return requiredChecksThat("pass", gate, receipt).some((id) => redChecks.includes(id));
}

function outcomeOf(receipt: ReceiptSummary, check: Gate["checks"][number]): CheckOutcome {
  return (
    receipt.checks.find((found) => found.id === check.id && found.sha256 === check.sha256)
      ?.outcome ?? "error"
  );
}
