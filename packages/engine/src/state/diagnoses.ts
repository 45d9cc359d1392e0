import type { Diagnosis, DriftKind, ReceiptSummary, RecordData, Rules } from "@loopwright/protocol";
import { requiredChecksThat } from "../stop/verdict.ts";

type Diagnoses = readonly Diagnosis[];

/** Sets the one diagnosis of its kind, or takes it away with null. The others keep their order. */
export function withDiagnosis(
  all: Diagnoses,
  kind: Diagnosis["kind"],
  next: Omit<Diagnosis, "kind"> | null,
): Diagnosis[] {
  const others = all.filter((each) => each.kind !== kind);
  return next === null ? others : [...others, { kind, ...next, text: next.text.slice(0, 4000) }];
}

export function withoutDiagnoses(all: Diagnoses, kinds: readonly Diagnosis["kind"][]): Diagnosis[] {
  return all.filter((each) => !kinds.includes(each.kind));
}

/** A disagreement about the next action waits for whoever plans, or for a person. */
export function isDrifted({ diagnosis }: { readonly diagnosis: Diagnoses }): boolean {
  return diagnosis.some(({ kind }) => kind === "drift");
}

/** What is only to know isn't told to anybody's prompt, nor what isn't about the plan. */
export function driftDiagnosis(
  all: Diagnoses,
  { kind, severity, detail }: RecordData<"drift_detected">,
): Diagnosis[] {
  const told = severity !== "info" && PLAN_DRIFT.has(kind);
  return told ? withDiagnosis(all, "drift", { text: detail }) : [...all];
}

const PLAN_DRIFT: ReadonlySet<string> = new Set([
  "next_action_projection_mismatch",
  "state_edited_by_hand",
] satisfies DriftKind[]);

/** At half the limit the next prompts say so and ask for another approach. */
export function progressDiagnosis(
  all: Diagnoses,
  without: number,
  limit: number | null,
): Diagnosis[] {
  if (limit === null || without * 2 < limit) return withDiagnosis(all, "no_progress", null);
  const text =
    `The last ${without} iterations brought nothing new: no tree that was not seen before, and no further check passes. ` +
    `After ${limit} the session stops. Take another approach: smaller steps, another design, or first find out why the last ones failed.`;
  return withDiagnosis(all, "no_progress", { text });
}

/** Exactly the failing checks of a refused claim. */
export function refusedClaim(
  gate: Rules["gate"],
  receipt: ReceiptSummary,
  path: string,
): Omit<Diagnosis, "kind"> {
  const failing = requiredChecksThat("fail", gate, receipt).map((id) => {
    const detail = receipt.checks.find((check) => check.id === id)?.detail ?? "";
    return detail === "" ? id : `${id} (${detail})`;
  });
  return {
    text: `The goal was claimed as met, but these checks fail: ${failing.join("; ")}.`,
    path,
  };
}

/** All checks pass, yet none of them can show that this session changed anything. */
export function nothingWentGreen(path: string): Omit<Diagnosis, "kind"> {
  return {
    text: "The goal was claimed as met and every required check passes, but none of them was seen failing before, so they prove nothing about this work. A check that fails without it is needed.",
    path,
  };
}
