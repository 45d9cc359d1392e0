import type { JournalLine, RecordData } from "@loopwright/protocol";
import type { JournalIndex } from "../session/journal-index.ts";
import type { SessionRecord } from "../session/open-record.ts";
import { oneLine } from "../words/printable.ts";
import { tokensOf } from "./iterations.ts";

/** The lines of a journal from a moment on, oldest first. Times may jump; a line counts by its own. */
export function linesSince(journal: JournalIndex, from: number): JournalLine[] {
  const found: JournalLine[] = [];
  for (let end = journal.length(); end > 0; end -= CHUNK) {
    const lines = journal.lines(Math.max(0, end - CHUNK), end);
    const within = lines.filter(({ at }) => Date.parse(at) >= from);
    found.unshift(...within);
    if (within.length === 0) break;
  }
  return found;
}

const CHUNK = 256;

export interface SinceRow {
  readonly goal_id: string;
  readonly session_id: string;
  readonly iterations: number;
  readonly succeeded: number;
  readonly progress: number;
  readonly cost_usd: number;
  readonly unknown_cost: number;
  /** Checks whose first outcome in the span was not a pass and whose last is one. */
  readonly went_green: readonly string[];
  readonly went_red: readonly string[];
  readonly ended: {
    readonly status: string;
    readonly stop_reason: string;
    readonly detail: string;
  } | null;
  readonly summaries: readonly { readonly iteration: number; readonly text: string }[];
}

const SUMMARIES = 20;

/** What one session did from a moment on; undefined when it did nothing. */
export function sinceRow(
  { id, goalId, journal }: SessionRecord,
  from: number,
): SinceRow | undefined {
  const records = linesSince(journal, from).flatMap((line) => line.records);
  if (records.length === 0) return undefined;
  const finished = records.flatMap(({ type, data }) => (type === "task_finished" ? [data] : []));
  const stopped = records.findLast(({ type }) => type === "session_stopped");
  const checks = checkChanges(
    records.flatMap(({ type, data }) => (type === "verification_finished" ? [data] : [])),
  );
  return {
    goal_id: goalId,
    session_id: id,
    iterations: finished.length,
    succeeded: finished.filter(({ succeeded }) => succeeded).length,
    progress: finished.filter(({ progress }) => progress === "progress").length,
    ...costOf(finished),
    ...checks,
    ended:
      stopped?.type === "session_stopped"
        ? {
            status: stopped.data.status,
            stop_reason: stopped.data.stop_reason,
            detail: stopped.data.detail,
          }
        : null,
    summaries: finished
      .slice(-SUMMARIES)
      .flatMap(({ iteration, report }) =>
        report.state === "valid" ? [{ iteration, text: oneLine(report.value.summary, 200) }] : [],
      ),
  };
}

function checkChanges(verified: readonly RecordData<"verification_finished">[]) {
  const first = new Map<string, boolean>();
  const last = new Map<string, boolean>();
  for (const { receipt } of verified)
    for (const { id, outcome } of receipt?.checks ?? []) {
      const passes = outcome === "pass";
      if (!first.has(id)) first.set(id, passes);
      last.set(id, passes);
    }
  const changed = (to: boolean): string[] =>
    [...last].filter(([id, passes]) => passes === to && first.get(id) !== to).map(([id]) => id);
  return { went_green: changed(true), went_red: changed(false) };
}

type Finished = Pick<RecordData<"task_finished">, "cost_usd" | "usage">;

function costOf(finished: readonly Finished[]) {
  return {
    cost_usd: finished.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0),
    unknown_cost: finished.filter(({ cost_usd }) => cost_usd === null).length,
  };
}

export interface UsageBucket {
  /** Where it begins, UTC. */
  readonly at: string;
  readonly iterations: number;
  readonly tokens: number;
  readonly unknown_tokens: number;
  readonly cost_usd: number;
  readonly unknown_cost: number;
}

/** Spending of these sessions by hour or day, in order; buckets without an iteration are left out. */
export function usageBuckets(
  sessions: readonly SessionRecord[],
  from: number,
  by: "hour" | "day",
): UsageBucket[] {
  const buckets = new Map<string, Finished[]>();
  for (const { journal } of sessions)
    for (const { at, records } of linesSince(journal, from))
      for (const { type, data } of records) {
        if (type !== "task_finished") continue;
        const start =
          by === "hour" ? `${at.slice(0, 13)}:00:00.000Z` : `${at.slice(0, 10)}T00:00:00.000Z`;
        buckets.set(start, [...(buckets.get(start) ?? []), data]);
      }
  return [...buckets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([at, finished]) => {
      const tokens = finished.map(tokensOf);
      return {
        at,
        iterations: finished.length,
        tokens: tokens.reduce<number>((sum, each) => sum + (each ?? 0), 0),
        unknown_tokens: tokens.filter((each) => each === null).length,
        ...costOf(finished),
      };
    });
}
