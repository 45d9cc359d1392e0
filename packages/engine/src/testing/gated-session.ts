import type { JournalRecord, Rules } from "@loopwright/protocol";
import { digestOf, finishedOf, receiptOf, rulesOf, started, treeOf, workflow } from "./fixtures.ts";
import { Play } from "./play.ts";
import type { Finished } from "../transition/occurrence.ts";

const checks = [
  { id: "test", sha256: digestOf(1), required: true },
  { id: "lint", sha256: digestOf(2), required: false },
];
export const workflows = [
  workflow("outer", { priority: 1, plans: true, may_complete: true }),
  workflow("inner"),
];
export const gated = (
  gate: Partial<Rules["gate"]> = {},
  limits: Partial<Rules["limits"]> = {},
): Rules => rulesOf(workflows, { gate: { checks, ...gate }, limits });

export const types = (records: readonly JournalRecord[]): string[] =>
  records.map((record) => record.type);
type Outcomes = Record<string, "pass" | "fail" | "error">;

/** A gated session that tests feed with reports and receipts; each call returns the types of its records. */
export class GatedSession extends Play {
  constructor(rules: Rules) {
    super({ kind: "started", started: started(rules) });
    this.feed({ kind: "next", next: this.next() });
  }

  verify(outcomes: Outcomes | null, tree = 1, goesOn = true): string[] {
    const { task } = this;
    if (task.kind !== "verification") throw new Error("an iteration is live");
    const { verification: kind, attempt_id, iteration, number } = task;
    const receipt =
      outcomes === null ? null : receiptOf(this.current.rules, treeOf(tree), outcomes);
    return types(
      this.feed({
        kind: "verified",
        verified: {
          kind,
          attempt_id,
          iteration,
          number,
          receipt,
          live_ms: 10,
          cost_usd: null,
          recovered: false,
          ...(receipt === null ? { problem: "no git" } : {}),
        },
        next: goesOn ? this.next() : undefined,
      }),
    );
  }

  finish(changes: Partial<Finished> = {}, goesOn = true): string[] {
    const { task } = this;
    if (task.kind !== "workflow") throw new Error("a verification is live");
    return types(
      this.feed({
        kind: "finished",
        finished: finishedOf(task, changes),
        next: goesOn ? this.next() : undefined,
      }),
    );
  }

  claim(changes: Partial<Finished> = {}, goesOn = true): string[] {
    return this.finish({ control: controlOf(this.task.attempt_id), ...changes }, goesOn);
  }
}

export function controlOf(attempt_id: string, changes: object = {}): Finished["control"] {
  return {
    state: "valid",
    value: {
      schema_version: 1,
      attempt_id,
      state: "stopped",
      stop_reason: "goal_met",
      reason: "all done",
      attempted_routes: [],
      ...changes,
    },
  };
}

/** A session behind a red baseline with its first iteration live. */
export function red(rules: Rules = gated()): GatedSession {
  const session = new GatedSession(rules);
  session.verify({ test: "fail" }, 0);
  return session;
}
