import type { ReceiptSummary, RecordData, Rules } from "@loopwright/protocol";
import { checksThat, requiredChecksThat, verdict, wentGreen } from "../stop/verdict.ts";
import { compareIds } from "../schedule/rank.ts";
import { nextVerification } from "../state/verification-name.ts";
import type { State } from "../state/state.ts";
import { add, type Draft } from "./draft.ts";
import { GO_ON, type Recorded } from "./recorded.ts";
import type { Manual } from "./occurrence.ts";
import { stopSession } from "./stop-session.ts";

/** Records a verification and what its verdict decides. */
export function recordVerified(
  draft: Draft,
  verified: RecordData<"verification_finished">,
): Recorded {
  const { task } = draft.state;
  if (
    task?.kind !== "verification" ||
    task.attempt_id !== verified.attempt_id ||
    task.verification !== verified.kind ||
    task.iteration !== verified.iteration ||
    task.number !== verified.number
  ) {
    return null;
  }
  add(draft, "verification_finished", verified);
  if (verified.kind === "baseline") recordBaseline(draft, verified);
  if (verified.kind !== "claim") return GO_ON;
  if (passes(draft.state, verified.receipt)) {
    stopSession(draft, "goal_met", "Every required check passes at the tree of the claim.", null, {
      verified: true,
    });
  }
  // An error is no verdict: the verification is repeated, but not at once.
  return { pause: null, launch: verdict(draft.state.rules.gate, verified.receipt) !== "error" };
}

function passes(state: State, receipt: ReceiptSummary | null): boolean {
  const { gate } = state.rules;
  return (
    receipt !== null &&
    verdict(gate, receipt) === "pass" &&
    wentGreen(gate, state.red_checks, receipt)
  );
}

export function recordManual(draft: Draft, manual: Manual): void {
  const { iteration, number, directory } = nextVerification(draft.state);
  const { attempt_id } = manual;
  add(draft, "verification_started", {
    kind: "manual",
    attempt_id,
    iteration,
    number,
    directory,
    facts: null,
  });
  add(draft, "verification_finished", {
    ...manual,
    kind: "manual",
    iteration,
    number,
    recovered: false,
  });
}

function recordBaseline(draft: Draft, verified: RecordData<"verification_finished">): void {
  const { gate } = draft.state.rules;
  const { receipt } = verified;
  if (receipt === null) {
    add(draft, "baseline_recorded", { outcome: "error", red: [], vacuous: [], errors: [] });
    return stopSession(
      draft,
      "baseline_error",
      `The checks could not be run on the starting tree: ${verified.problem ?? "no receipt"}.`,
      null,
    );
  }
  const baseline = judgeBaseline(gate, draft.state.red_before, receipt);
  add(draft, "baseline_recorded", baseline);
  if (baseline.outcome === "error") {
    stopSession(
      draft,
      "baseline_error",
      `On the starting tree these checks neither pass nor fail but error: ${baseline.errors.join(", ")}.`,
      null,
    );
  } else if (baseline.outcome === "green") {
    stopSession(
      draft,
      "baseline_green",
      "No required check fails on the starting tree, so passing checks could not show that the goal was met.",
      null,
    );
  }
}

function judgeBaseline(
  gate: Rules["gate"],
  redBefore: State["red_before"],
  receipt: ReceiptSummary,
): RecordData<"baseline_recorded"> {
  const errors = checksThat("error", gate, receipt);
  const failing = requiredChecksThat("fail", gate, receipt);
  const before = gate.checks.flatMap(({ id, sha256, required }) => {
    const found = redBefore.find((red) => red.id === id && red.sha256 === sha256);
    if (!required || found === undefined || failing.includes(id)) return [];
    return [{ id, ...(found.session_id === undefined ? {} : { session_id: found.session_id }) }];
  });
  const red = [...failing, ...before.map(({ id }) => id)].toSorted(compareIds);
  const earlier = before.length === 0 ? {} : { red_before: before };
  const vacuous = checksThat("pass", gate, receipt).filter((id) => !red.includes(id));
  if (errors.length > 0 || verdict(gate, receipt) === "error")
    return { outcome: "error", red, vacuous, errors, ...earlier };
  if (red.length > 0) return { outcome: "red", red, vacuous, errors, ...earlier };
  return {
    outcome: gate.baseline === "allow_green" ? "allowed_green" : "green",
    red,
    vacuous,
    errors,
  };
}
