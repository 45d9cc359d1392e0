import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { stateFileOf } from "@loopwright/engine";
import { type JournalRecord, LoopwrightError, receipt, stateFile } from "@loopwright/protocol";
import { iterationRows, readRunIndex } from "../../control-plane/run-index/index.ts";
import { receiptSummary } from "../../coordinator/receipts.ts";
import { readJson, readJsonIfPresent } from "../../store/read.ts";
import { goalHash } from "../../store/session-id.ts";
import type { OpenedSession } from "../open-session.ts";
import type { GoalTarget } from "../target.ts";
import type { Finding } from "./finding.ts";

/** Compares every file that the journal vouches for with what it says. `live`: a coordinator may be writing just now. */
export function fileFindings(target: GoalTarget, opened: OpenedSession, live: boolean): Finding[] {
  const findings: Finding[] = [];
  const add = (where: string, message: string): void =>
    void findings.push({ source: "files", where, message });
  const records = opened.lines.flatMap(({ records: each }) => each);
  const directories = directoriesOf(records);
  compareSession(opened, records, add);
  if (!live) compareState(opened, add);
  compareRunIndex(target, opened, live, add);
  for (const record of records) {
    if (record.type === "task_finished") compareResult(opened, directories, record.data, add);
    if (record.type === "verification_finished")
      compareReceipt(opened, directories, record.data, add);
  }
  compareFrozen(opened, records, add);
  for (const { path, sha256 } of opened.session.pins.files) {
    const pin = target.layout.pin(sha256);
    if (hashOf(pin) !== sha256)
      add(
        pin,
        `the pinned content of ${path} is ${existsSync(pin) ? "not what was pinned" : "missing"}`,
      );
  }
  return findings;
}

type Add = (where: string, message: string) => void;

function compareSession(
  { layout }: OpenedSession,
  records: readonly JournalRecord[],
  add: Add,
): void {
  let session = "";
  for (const { type, data } of records) {
    if (type === "session_started") {
      session = data.session_sha256;
      const text = existsSync(layout.goal) ? readFileSync(layout.goal, "utf8") : undefined;
      if (text === undefined || goalHash(text) !== data.goal_sha256)
        add(layout.goal, "it is not the goal text that the session was started with");
    }
  }
  if (hashOf(layout.session) !== session)
    add(layout.session, "it is not what the journal says that the session was started with");
}

/** What was reloaded and pinned anew, also what isn't in force any more. */
function compareFrozen(
  { layout }: OpenedSession,
  records: readonly JournalRecord[],
  add: Add,
): void {
  for (const { type, data } of records) {
    const sha256 =
      type === "configuration_reloaded"
        ? data.session_sha256
        : type === "pins_changed"
          ? data.pins_sha256
          : undefined;
    if (sha256 === undefined) continue;
    const found = hashOf(layout.frozenFile(sha256));
    if (found === sha256) continue;
    const what = type === "pins_changed" ? "the pins" : "the configuration";
    add(
      layout.frozenFile(sha256),
      found === undefined ? "it is missing" : `it is not ${what} that the journal names`,
    );
  }
}

function compareState({ layout, state }: OpenedSession, add: Add): void {
  const found = tryRead(() => readJsonIfPresent(layout.state, stateFile), layout.state, add);
  if (found === undefined)
    return existsSync(layout.state)
      ? undefined
      : add(layout.state, "it is missing; the next coordinator writes it again");
  const expected = stateFile.parse(stateFileOf(state));
  const fields = Object.keys(expected) as (keyof typeof expected)[];
  const different = fields.filter((field) => !isDeepStrictEqual(found[field], expected[field]));
  if (different.length > 0)
    add(layout.state, `it disagrees with the journal about ${different.slice(0, 8).join(", ")}`);
}

/** A row that a crash has kept back is appended by the next coordinator; a living one may be about to. */
function compareRunIndex(
  { layout: goal }: GoalTarget,
  { id, layout, session, lines }: OpenedSession,
  live: boolean,
  add: Add,
): void {
  const index = tryRead(() => readRunIndex(goal.runs), goal.runs, add);
  if (index === undefined) return;
  const found = new Map(
    index.rows.flatMap((row) =>
      row.session_id === id && row.kind === "iteration" ? [[row.run_id, row]] : [],
    ),
  );
  const planning = new Set(
    session.workflows.flatMap(({ id: workflow, plans }) => (plans ? [workflow] : [])),
  );
  const indexed = {
    sessionId: id,
    directory: relative(goal.directory, layout.directory),
    planning,
  };
  for (const { run_id, iteration, workflow_id, classification } of lines.flatMap((line) =>
    iterationRows(line, indexed, undefined),
  )) {
    const row = found.get(run_id);
    found.delete(run_id);
    if (row === undefined) {
      if (!live)
        add(
          goal.runs,
          `the row of iteration ${iteration} is missing; the next coordinator appends it`,
        );
    } else if (row.workflow_id !== workflow_id || row.classification !== classification)
      add(goal.runs, `the row of iteration ${iteration} disagrees with the journal`);
  }
  for (const { run_id } of found.values())
    if (!live) add(goal.runs, `the row ${run_id} belongs to no iteration of the journal`);
}

function compareResult(
  { layout }: OpenedSession,
  directories: ReadonlyMap<string, string>,
  data: Extract<JournalRecord, { type: "task_finished" }>["data"],
  add: Add,
): void {
  const directory = directories.get(data.attempt_id);
  if (directory === undefined) return;
  const path = join(layout.directory, directory, "result.json");
  const found = hashOf(path);
  if (found === data.result_sha256) return;
  add(
    path,
    found === undefined
      ? "it is missing"
      : `it is not the result that was recorded for iteration ${data.iteration}`,
  );
}

function compareReceipt(
  { layout }: OpenedSession,
  directories: ReadonlyMap<string, string>,
  data: Extract<JournalRecord, { type: "verification_finished" }>["data"],
  add: Add,
): void {
  const directory = directories.get(data.attempt_id);
  if (data.receipt === null || directory === undefined) return;
  const path = join(layout.directory, directory, "receipt.json");
  const found = tryRead(() => readJson(path, receipt), path, add);
  if (found === undefined) return;
  if (!isDeepStrictEqual(receiptSummary(found), data.receipt))
    add(path, "it is not the receipt that was recorded");
}

/** Attempt -> its directory under the session. */
function directoriesOf(records: readonly JournalRecord[]): Map<string, string> {
  return new Map(
    records.flatMap(({ type, data }) =>
      type === "task_assigned" || type === "verification_started"
        ? [[data.attempt_id, data.directory] as const]
        : [],
    ),
  );
}

function tryRead<T>(read: () => T, path: string, add: Add): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    add(path, error.message);
    return undefined;
  }
}

function hashOf(path: string): string | undefined {
  return existsSync(path)
    ? createHash("sha256").update(readFileSync(path)).digest("hex")
    : undefined;
}
