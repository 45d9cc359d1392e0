import { type Rules, type StateFile, stateFile } from "@loopwright/protocol";
import type { SignatureSet } from "./signature-set.ts";

/** Where a record stands: the line's sequence number, its wall time and the epoch that wrote it. */
export interface Stamp {
  readonly seq: number;
  readonly at: string;
  readonly epoch: number;
}

/**
 * The fold of a journal: all that decisions read. Never changed in place; `fold` returns a new one that shares what
 * stayed. The fields of `state.json`, and behind them what only the engine needs. Those are bounded too, but for
 * `seen` and `received`, which grow with distinct trees and with guidance.
 */
export interface State extends Readonly<Omit<StateFile, "schema_version">> {
  readonly rules: Rules;
  /** Every (tree, passing checks) that this session has stood at. */
  readonly seen: SignatureSet;
  /** Checks that passed in the newest verification without error, sorted. */
  readonly passing: readonly string[];
  /** Checks that failed in an earlier session of this goal, by hash. */
  readonly red_before: readonly {
    readonly id: string;
    readonly sha256: string;
    readonly session_id?: string | undefined;
  }[];
  /** Checks whose hash changed after the baseline: their next verification is their baseline. */
  readonly unbased: readonly string[];
  /** An accepted `unresolvable_error` that the stop rules have not yet seen. */
  readonly unresolvable: {
    readonly workflow_id: string;
    readonly iteration: number;
    readonly reason: string;
  } | null;
  /** The last iteration implemented something and `gate.run` asks for a verification of it. */
  readonly advisory_due: boolean;
  /** The newest verification's name: `<iteration>-<number>`. */
  readonly numbering: { readonly iteration: number; readonly number: number };
  /** Counters of the live task's workflow as they were before its assignment; what a withdrawal restores. */
  readonly before_start: { readonly starts: number; readonly last_start: number | null } | null;
  /** Ids of all guidance that was ever received. */
  readonly received: ReadonlySet<string>;
  /** Iterations of unknown cost or usage that a person accepted by reopening the session. */
  readonly accepted_unknown: { readonly tokens: number; readonly cost: number };
}

const FILE_FIELDS = Object.keys(stateFile.shape).filter(
  (field) => field !== "schema_version",
) as (keyof State & keyof StateFile)[];

/** What `state.json` shows of a state. */
export function stateFileOf(state: State): StateFile {
  const fields = Object.fromEntries(FILE_FIELDS.map((field) => [field, state[field]]));
  return { schema_version: 1, ...fields } as StateFile;
}

/** The limits in force: the frozen ones, as raised since. */
export function effectiveLimits(state: State): StateFile["limits"] {
  return state.limits;
}

/** Fencing: whether this names exactly the task that is live. What is left out isn't compared. */
export function isLive(
  state: State,
  named: {
    session_id: string;
    attempt_id: string;
    epoch?: number | undefined;
    iteration?: number | undefined;
  },
): boolean {
  const { task } = state;
  return (
    task !== null &&
    named.session_id === state.session_id &&
    named.attempt_id === task.attempt_id &&
    (named.epoch === undefined || named.epoch === task.epoch) &&
    (named.iteration === undefined || named.iteration === task.iteration)
  );
}

export function isTerminal(state: State): boolean {
  return state.status !== "running";
}
