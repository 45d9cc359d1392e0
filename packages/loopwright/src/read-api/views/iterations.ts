import type { JournalLine, RecordData } from "@loopwright/protocol";
import type { SessionRecord } from "../session/open-record.ts";
import { oneLine } from "../words/printable.ts";

export interface IterationRow {
  readonly iteration: number;
  readonly workflow_id: string;
  readonly state: "running" | "finished" | "abandoned";
  readonly outcome: string | null;
  readonly cause: string | null;
  readonly succeeded: boolean | null;
  readonly progress: string | null;
  readonly agent: string | null;
  readonly model: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly duration_ms: number | null;
  /** One line of its report, or why it failed. */
  readonly summary: string;
  readonly files_changed: number | null;
  readonly insertions: number | null;
  readonly deletions: number | null;
  /** Null: unknown, never zero. */
  readonly tokens: number | null;
  readonly cost_usd: number | null;
  readonly denials: number;
  readonly leftovers: number;
  /** Journal lines of its assignment and its end. */
  readonly seq: number;
  readonly end_seq: number | null;
}

/** A page of a session's iterations, in order. `next`: the `after` of the following page; null at the end. */
export function iterationsView(
  { id, journal }: SessionRecord,
  page: { readonly after: number; readonly limit: number },
): object {
  const numbers = journal.iterations().filter((n) => n > page.after);
  const shown = numbers.slice(0, page.limit);
  const rows = shown.flatMap((n) => iterationRow({ journal }, n) ?? []);
  const last = shown.at(-1);
  return {
    schema_version: 1,
    session_id: id,
    seq: journal.state().seq,
    iterations: rows,
    next: numbers.length > shown.length && last !== undefined ? last : null,
  };
}

/** Undefined: there is no such iteration. */
export function iterationRow(
  { journal }: Pick<SessionRecord, "journal">,
  n: number,
): IterationRow | undefined {
  const place = journal.iteration(n);
  if (place === undefined) return undefined;
  const [start] = journal.lines(place.assigned, place.assigned + 1);
  const [end] = place.ended === null ? [] : journal.lines(place.ended, place.ended + 1);
  return start === undefined ? undefined : rowOf(n, start, end);
}

function rowOf(n: number, start: JournalLine, end: JournalLine | undefined): IterationRow {
  const assigned = recordOf(start, "task_assigned", n);
  const finished = end && recordOf(end, "task_finished", n);
  const abandoned = end && recordOf(end, "task_abandoned", n);
  const { changes = null, usage = null, report } = finished ?? {};
  const said = report?.state === "valid" ? report.value.summary : (finished?.failure ?? "");
  return {
    iteration: n,
    workflow_id: assigned?.workflow_id ?? finished?.workflow_id ?? "",
    state: finished !== undefined ? "finished" : abandoned !== undefined ? "abandoned" : "running",
    outcome: finished?.outcome ?? (abandoned === undefined ? null : "abandoned"),
    cause: finished?.cause ?? abandoned?.cause ?? null,
    succeeded: finished?.succeeded ?? (abandoned === undefined ? null : false),
    progress: finished?.progress ?? null,
    agent: finished?.agent ?? null,
    model: usage?.model ?? null,
    started_at: start.at,
    ended_at: end?.at ?? null,
    duration_ms: finished?.duration_ms ?? null,
    summary: oneLine(abandoned?.reason ?? said, 200),
    files_changed: changes?.files_changed ?? null,
    insertions: changes?.insertions ?? null,
    deletions: changes?.deletions ?? null,
    tokens: tokensOf(finished),
    cost_usd: finished?.cost_usd ?? null,
    denials: finished?.denials ?? 0,
    leftovers: finished?.leftovers.length ?? 0,
    seq: start.seq,
    end_seq: end?.seq ?? null,
  };
}

type OfIteration = "task_assigned" | "task_finished" | "task_abandoned";

export function recordOf<T extends OfIteration>(
  line: JournalLine,
  type: T,
  iteration: number,
): RecordData<T> | undefined {
  const found = line.records.find(
    (record) => record.type === type && (record.data as RecordData<T>).iteration === iteration,
  );
  return found?.data as RecordData<T> | undefined;
}

/** What is known of them; null when nothing is. */
export function tokensOf(
  finished: Pick<RecordData<"task_finished">, "usage"> | undefined,
): number | null {
  const { input_tokens = null, output_tokens = null } = finished?.usage ?? {};
  return input_tokens === null && output_tokens === null
    ? null
    : (input_tokens ?? 0) + (output_tokens ?? 0);
}
