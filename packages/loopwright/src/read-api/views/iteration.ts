import { existsSync } from "node:fs";
import { join } from "node:path";
import { explainDecision } from "@loopwright/engine";
import { LoopwrightError } from "@loopwright/protocol";
import { iterationLayout, type IterationLayout } from "../../store/iteration-layout.ts";
import type { SessionRecord } from "../session/open-record.ts";
import { describeRecord } from "../words/describe-record.ts";
import { iterationRow, recordOf } from "./iterations.ts";

/** One iteration in full: why it ran, what came of it, what its report says, what the journal says of it. */
export function iterationView(session: SessionRecord, n: number): object {
  const { journal, id } = session;
  const files = iterationFiles(session, n);
  const place = journal.iteration(n);
  if (place === undefined) throw noIteration(id, n);
  const [start] = journal.lines(place.assigned, place.assigned + 1);
  const [end] = place.ended === null ? [] : journal.lines(place.ended, place.ended + 1);
  const assigned = start && recordOf(start, "task_assigned", n);
  const finished = end && recordOf(end, "task_finished", n);
  return {
    schema_version: 1,
    session_id: id,
    ...iterationRow(session, n),
    why: assigned === undefined ? [] : explainDecision(assigned.explanation),
    inputs: assigned?.inputs ?? [],
    diagnosis: assigned?.diagnosis ?? [],
    report: finished?.report ?? null,
    goal_check: finished?.goal_check ?? null,
    control: finished?.control ?? null,
    failure: finished?.failure ?? null,
    evidence: finished?.evidence ?? null,
    exit: finished?.exit ?? null,
    usage: finished?.usage ?? null,
    changes: finished?.changes ?? null,
    left: finished?.leftovers ?? [],
    directory: files.directory,
    files: presentFiles(files),
    story: storyOf(session, place.assigned, place.ended, n),
  };
}

/** Where an iteration's files lie, as the journal says. Throws ITERATION_NOT_FOUND. */
export function iterationFiles({ journal, layout, id }: SessionRecord, n: number): IterationLayout {
  const place = journal.iteration(n);
  if (place === undefined) throw noIteration(id, n);
  return iterationLayout(join(layout.directory, place.directory));
}

function noIteration(id: string, n: number): LoopwrightError {
  return new LoopwrightError("ITERATION_NOT_FOUND", `Session ${id} has no iteration ${n}`);
}

function presentFiles(files: IterationLayout): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string" && existsSync(entry[1]),
    ),
  );
}

/** Lines after its end that still belong to it: the verification of what it claimed. */
const LINES_AFTER = 4;

function storyOf(
  { journal }: SessionRecord,
  assigned: number,
  ended: number | null,
  n: number,
): object[] {
  return journal
    .lines(assigned, (ended ?? journal.length() - 1) + 1 + LINES_AFTER)
    .flatMap(({ seq, at, records }) =>
      records
        .filter(({ data }) => "iteration" in data && data.iteration === n)
        .map((record) => ({ seq, at, type: record.type, ...describeRecord(record) })),
    );
}
