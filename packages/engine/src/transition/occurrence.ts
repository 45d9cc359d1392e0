import type {
  DecisionFacts,
  JournalRecord,
  RaisableLimit,
  RecordData,
  RecordType,
} from "@loopwright/protocol";

/** A worker's connection is open: something may be assigned into it. */
export interface Next {
  /** For the task that may follow. */
  readonly attempt_id: string;
  readonly facts: DecisionFacts;
}

/** `task_finished` without what the engine judges. */
export type Finished = Omit<
  RecordData<"task_finished">,
  "succeeded" | "failure" | "counted" | "progress"
>;

/** What the report of a planning workflow means for the goal's next action, as the active state stood. */
export interface Plan {
  /** If it succeeded: it recommends something else than what stands there. */
  readonly moved?: RecordData<"next_action_moved"> | undefined;
  /** If it succeeded, and a mismatch was still to be settled. */
  readonly resolved?: RecordData<"drift_resolved"> | undefined;
  /** If neither happens: it recommends something that doesn't go with what stands there. */
  readonly drift?: RecordData<"drift_detected"> | undefined;
}

/** A verification that was run by hand: its receipt, and what it took. */
export type Manual = Omit<
  RecordData<"verification_finished">,
  "kind" | "iteration" | "number" | "recovered"
>;

/** Records that the shell only notes: no decision depends on them. */
export const NOTED = [
  "child_started",
  "child_finished",
  "next_action_moved",
  "drift_detected",
  "drift_resolved",
  "input_disposed",
  "journal_repaired",
] as const satisfies readonly RecordType[];
export type Noted = Extract<JournalRecord, { type: (typeof NOTED)[number] }>;

/** What happened, as the shell saw it. Each becomes at most one line of the journal. */
export type Occurrence =
  | { readonly kind: "started"; readonly started: RecordData<"session_started"> }
  | { readonly kind: "coordinator_started"; readonly started: RecordData<"coordinator_started"> }
  | {
      readonly kind: "seated";
      readonly seated: RecordData<"worker_seated">;
      readonly next?: Next | undefined;
    }
  | { readonly kind: "next"; readonly next: Next }
  | {
      readonly kind: "finished";
      readonly finished: Finished;
      readonly plan?: Plan | undefined;
      readonly next?: Next | undefined;
    }
  | {
      readonly kind: "verified";
      readonly verified: RecordData<"verification_finished">;
      readonly next?: Next | undefined;
    }
  | {
      readonly kind: "abandoned";
      readonly abandoned: RecordData<"task_abandoned">;
      readonly next?: Next | undefined;
    }
  | {
      readonly kind: "withdrawn";
      readonly withdrawn: RecordData<"task_withdrawn">;
      readonly next?: Next | undefined;
    }
  | { readonly kind: "manual"; readonly manual: Manual }
  | { readonly kind: "inputs"; readonly inputs: readonly RecordData<"input_received">[] }
  | { readonly kind: "answered"; readonly answered: RecordData<"question_answered"> }
  | { readonly kind: "stop"; readonly stop: RecordData<"stop_requested"> }
  | { readonly kind: "pause"; readonly pause: RecordData<"paused"> }
  | {
      readonly kind: "resume";
      readonly by: string;
      readonly raise: readonly Raise[];
      readonly reopen: boolean;
    }
  | { readonly kind: "reload"; readonly reload: RecordData<"configuration_reloaded"> }
  | { readonly kind: "repin"; readonly repin: RecordData<"pins_changed"> }
  | { readonly kind: "repaired"; readonly repaired: RecordData<"journal_repaired"> }
  | {
      readonly kind: "noted";
      readonly noted: Noted;
      /** What a move of the next action settles. */
      readonly resolved?: RecordData<"drift_resolved"> | undefined;
    };

/** A limit's new value; null takes it away. */
export interface Raise {
  readonly limit: RaisableLimit;
  readonly to: number | null;
}
