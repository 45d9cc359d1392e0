import type { ReceiptSummary } from "@loopwright/protocol";
import { verdict, wentGreen } from "../stop/verdict.ts";
import { nothingWentGreen, refusedClaim, withDiagnosis } from "./diagnoses.ts";
import type { State } from "./state.ts";

/**
 * The verdict over a claim. An error is none: the claim stays latched. A refusal frees it and puts what fails into the
 * next prompts. After a pass the claim stays until `session_stopped`, which stands in the same line.
 */
export function foldClaimVerdict(
  state: State,
  receipt: ReceiptSummary | null,
  directory: string,
): State {
  const found = verdict(state.rules.gate, receipt);
  if (receipt === null || found === "error")
    return { ...state, gate: { ...state.gate, errors_in_row: state.gate.errors_in_row + 1 } };
  const decided = { ...state, gate: { ...state.gate, errors_in_row: 0 } };
  if (found === "pass" && wentGreen(state.rules.gate, state.red_checks, receipt)) return decided;
  const why =
    found === "pass"
      ? nothingWentGreen(directory)
      : refusedClaim(state.rules.gate, receipt, directory);
  const before = state.gate.refused;
  const times = before?.tree_digest === receipt.tree_digest ? before.times + 1 : 1;
  return {
    ...decided,
    claim: null,
    gate: { ...decided.gate, refused: { tree_digest: receipt.tree_digest, times } },
    diagnosis: withDiagnosis(state.diagnosis, "claim_refused", why),
  };
}
