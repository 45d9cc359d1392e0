import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Entry, readJournal } from "./journal.ts";
import { readWitness, type Room, type Witnessed } from "./room.ts";
import type { Session } from "./session.ts";

export interface OracleOptions {
  /** Attempts that had started may have been abandoned: the shim itself was killed, or the agent. Default false. */
  readonly mayAbandon?: boolean;
  /** The session goes on: a task may be live. Default false. */
  readonly running?: boolean;
}

/** How an attempt ended, as the journal says. */
interface Fate {
  readonly type: "task_finished" | "task_abandoned" | "task_withdrawn";
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * What must hold after any crash, judged from the raw files and the agent's witness without the product's code:
 * no finished agent run is lost, no attempt is recorded twice, never do two agents of a session live at once.
 * Returns what doesn't hold, one sentence each.
 */
export function judge(room: Room, session: Session, options: OracleOptions = {}): string[] {
  const journal = readJournal(session.journal);
  const records = journal.lines.flatMap((line) => line.records);
  const witness = readWitness(room).filter(({ attempt }) => attempt !== "");
  const faults = [...journal.faults];
  if (journal.tail > 0 && options.running !== true)
    faults.push(`the journal ends in ${journal.tail} bytes of half a line`);
  const fates = judgeSequence(records, faults, options);
  judgeWitness(witness, records, fates, faults, options);
  judgeResults(session, records, faults);
  if (options.running !== true) judgeInputs(session, records, faults);
  return faults;
}

/** One task after the other, each with exactly one end; iterations are numbered without gaps. */
function judgeSequence(
  records: readonly Entry[],
  faults: string[],
  { running, mayAbandon }: OracleOptions,
): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  const known = new Set<string>();
  let live: string | undefined;
  let completed = 0;
  for (const { type, data } of records) {
    const attempt = data["attempt_id"] as string;
    if (type === "task_assigned" || type === "verification_started") {
      if (live !== undefined) faults.push(`${attempt} is assigned while ${live} is live`);
      if (known.has(attempt)) faults.push(`${attempt} is assigned twice`);
      if (type === "task_assigned" && data["iteration"] !== completed + 1) {
        faults.push(
          `${attempt} is iteration ${String(data["iteration"])} after ${completed} completed ones`,
        );
      }
      known.add(attempt);
      live = attempt;
    }
    if (
      ["task_finished", "task_abandoned", "task_withdrawn", "verification_finished"].includes(type)
    ) {
      if (live !== attempt) faults.push(`${type} of ${attempt}, which is not live`);
      live = undefined;
      const isWorkflow = type === "task_finished" || data["kind"] === "workflow";
      if (!isWorkflow) continue;
      if (fates.has(attempt)) faults.push(`${attempt} is recorded twice`);
      fates.set(attempt, { type: type as Fate["type"], data });
      if (type !== "task_withdrawn") completed += 1;
      if (type === "task_abandoned" && data["started"] === true && mayAbandon !== true)
        faults.push(`${attempt} was abandoned: ${String(data["reason"])}`);
    }
  }
  if (live !== undefined && running !== true) faults.push(`${live} never ended`);
  return fates;
}

function judgeWitness(
  witness: readonly Witnessed[],
  records: readonly Entry[],
  fates: ReadonlyMap<string, Fate>,
  faults: string[],
  { running, mayAbandon }: OracleOptions,
): void {
  const assigned = new Map(
    records.flatMap(({ type, data }) =>
      type === "task_assigned" ? [[data["attempt_id"] as string, data] as const] : [],
    ),
  );
  const starts = new Map<string, Witnessed>();
  for (const line of witness) {
    const { event, attempt, iteration, workflow } = line;
    const fate = fates.get(attempt);
    const task = assigned.get(attempt);
    if (event === "start") {
      if ((line.alive ?? "") !== "")
        faults.push(`the agent of ${attempt} started while another lived: ${line.alive}`);
      if (starts.has(attempt)) faults.push(`the agent of ${attempt} was started twice`);
      starts.set(attempt, line);
      if (task === undefined) faults.push(`the agent of ${attempt} ran, which was never assigned`);
      else if (task["iteration"] !== iteration || task["workflow_id"] !== workflow)
        faults.push(`the agent of ${attempt} ran as another task`);
      if (fate?.type === "task_withdrawn")
        faults.push(`the agent of ${attempt} ran, although it was withdrawn`);
      continue;
    }
    if (fate === undefined) {
      if (running !== true)
        faults.push(
          `the agent of ${attempt} ended with ${line.code}, and nothing of it is recorded`,
        );
      continue;
    }
    if (fate.type !== "task_finished") {
      if (mayAbandon !== true)
        faults.push(
          `the agent of ${attempt} ended with ${line.code}, and was recorded as ${fate.type}`,
        );
      continue;
    }
    judgeFinished(line, fate.data, faults, mayAbandon === true);
  }
  for (const [attempt, { type, data }] of fates) {
    const ran = type === "task_finished" && data["outcome"] === "ok";
    if (ran && !starts.has(attempt))
      faults.push(`${attempt} is recorded as done, and no agent ran`);
  }
}

/** What the agent did is what was recorded. */
function judgeFinished(
  { attempt, code }: Witnessed,
  data: Fate["data"],
  faults: string[],
  mayBeLost: boolean,
): void {
  const exit = data["exit"] as { code: number | null };
  const report = data["report"] as { state: string };
  // Its exit code went with its shim.
  if (mayBeLost && exit.code === null) return;
  if (exit.code !== code)
    faults.push(`the agent of ${attempt} ended with ${code}, and ${exit.code} was recorded`);
  if (code === 0 && data["outcome"] !== "ok")
    faults.push(`the agent of ${attempt} succeeded, and ${String(data["outcome"])} was recorded`);
  if (code === 0 && report.state !== "valid")
    faults.push(`the report of ${attempt} is recorded as ${report.state}`);
}

/** Each guidance that was given is taken once, and reached an agent. */
function judgeInputs(session: Session, records: readonly Entry[], faults: string[]): void {
  const given = existsSync(session.path("inputs")) ? readdirSync(session.path("inputs")) : [];
  const ids = (type: string, field: string): unknown[] =>
    records.flatMap((record) => (record.type === type ? [record.data[field]].flat() : []));
  const received = ids("input_received", "id");
  const delivered = ids("input_delivered", "ids");
  for (const name of given.filter((each) => each.endsWith(".json") && !each.startsWith("."))) {
    const id = name.slice(0, -".json".length);
    const times = received.filter((each) => each === id).length;
    if (times !== 1) faults.push(`input ${id} was received ${times} times`);
    if (!delivered.includes(id)) faults.push(`input ${id} reached no agent`);
  }
}

/** Each recorded iteration has the result that its record vouches for. */
function judgeResults(session: Session, records: readonly Entry[], faults: string[]): void {
  const directories = new Map<string, string>();
  for (const { type, data } of records) {
    const attempt = data["attempt_id"] as string;
    if (type === "task_assigned") directories.set(attempt, data["directory"] as string);
    if (type !== "task_finished") continue;
    const path = join(session.directory, directories.get(attempt) ?? "?", "result.json");
    const sha256 = existsSync(path)
      ? createHash("sha256").update(readFileSync(path)).digest("hex")
      : "missing";
    if (sha256 !== data["result_sha256"])
      faults.push(`${path} is not the result that was recorded for ${attempt}`);
  }
}
