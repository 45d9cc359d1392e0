import { decisionReason } from "@loopwright/engine";
import {
  amountText,
  endingText,
  type JournalRecord,
  plural,
  type RaisableLimit,
  type RecordData,
} from "@loopwright/protocol";
import { describeFinished, describeReceipt } from "./describe-outcome.ts";
import { oneLine } from "./printable.ts";

/** How much a record matters to somebody who looks on: `main` is told live, `detail` only in the full list. */
export type Weight = "main" | "detail";

export interface Described {
  readonly weight: Weight;
  /** One sentence, safe to print. */
  readonly text: string;
  /** Lines that belong below it. */
  readonly below?: readonly string[];
}

/** Which agent runs it where its own is held. */
function inPlace({ workflow_id, facts }: RecordData<"task_assigned">): string {
  const agent = facts.agents?.[workflow_id];
  return agent === undefined ? "" : ` with agent ${agent}, as its own is out of quota`;
}

/** Says a journal record in words. */
export function describeRecord(record: JournalRecord): Described {
  switch (record.type) {
    case "session_started":
      return main(
        `session ${record.data.session_id} started with the workflow set ${record.data.workflow_set}`,
      );
    case "coordinator_started":
      return detail(
        `coordinator started (process ${record.data.identity.pid}, epoch ${record.data.epoch})`,
      );
    case "worker_seated":
      return detail(
        `worker took the seat (process ${record.data.identity.pid} on ${record.data.identity.host})`,
      );
    case "baseline_recorded":
      return describeBaseline(record.data);
    case "task_assigned":
      return main(
        `iteration ${record.data.iteration}: ${record.data.workflow_id} starts${inPlace(record.data)}`,
        [oneLine(decisionReason(record.data.explanation), 160)],
      );
    case "task_finished":
      return describeFinished(record.data);
    case "task_abandoned":
      return main(`${taskName(record.data)} was abandoned: ${oneLine(record.data.reason, 160)}`);
    case "task_withdrawn":
      return main(
        `${taskName({ ...record.data, workflow_id: null })} was withdrawn before anything started; its number is used again`,
      );
    case "verification_started":
      return main(
        record.data.kind === "baseline"
          ? "baseline: the checks run on the starting tree"
          : `verification (${record.data.kind}) starts`,
      );
    case "verification_finished":
      return describeReceipt(record.data);
    default:
      return describeRest(record);
  }
}

function describeRest(
  record: Exclude<JournalRecord, { type: "task_finished" | "verification_finished" }>,
): Described {
  switch (record.type) {
    case "goal_check_recorded":
      return main(
        `evaluation says ${record.data.goal_met === null ? "nothing valid" : record.data.goal_met ? "met" : "not met"}: ${oneLine(record.data.reason, 160)}`,
      );
    case "control_accepted":
      return main(
        `${record.data.workflow_id} ${record.data.stop_reason === "goal_met" ? "claims that the goal is met" : "gives up"}: ${oneLine(record.data.reason, 160)}`,
      );
    case "control_refused":
      return main(
        `a ${record.data.verdict === "stale" ? "stale" : "refused"} request to stop from ${record.data.workflow_id}: ${oneLine(record.data.why, 160)}`,
      );
    case "pins_changed":
      return main(
        `${record.data.by} accepted changed checks or protected files: ${record.data.files.slice(0, 5).join(", ")}`,
      );
    case "input_received":
      return main(`guidance ${record.data.id}: ${oneLine(record.data.text, 120)}`);
    case "input_delivered":
      return detail(
        `guidance went into iteration ${record.data.iteration}: ${record.data.ids.join(", ")}`,
      );
    case "input_disposed":
      return main(
        `guidance ${record.data.id} was ${record.data.disposition}${record.data.note === undefined ? "" : `: ${oneLine(record.data.note, 120)}`}`,
      );
    case "question_asked":
      return main(
        `${record.data.blocking ? "blocking question" : "question"} ${record.data.id}: ${oneLine(record.data.text, 160)}`,
      );
    case "question_answered":
      return main(
        `${record.data.by} answered ${record.data.id}: ${oneLine(record.data.text, 120)}`,
      );
    case "limit_reached":
      return describeReached(record.data);
    case "limit_raised":
      return main(
        `${record.data.by} set ${record.data.limit} from ${limitText(record.data.limit, record.data.from)} to ${limitText(record.data.limit, record.data.to)}`,
      );
    case "paused":
      return main(
        `paused (${record.data.reason}) by ${record.data.by}${record.data.detail === "" ? "" : `: ${oneLine(record.data.detail, 160)}`}`,
      );
    case "resumed":
      return main(`resumed by ${record.data.by}`);
    case "stop_requested":
      return main(`stop asked for by ${record.data.by}: ${STOP_WORDS[record.data.mode]}`);
    case "child_started":
      return main(`child session ${record.data.session_id} started`);
    case "child_finished":
      return main(
        `child session ${record.data.session_id} ended: ${endingText(record.data.status, record.data.stop_reason)}`,
      );
    case "next_action_moved":
      return main(`next action: ${oneLine(record.data.text, 160)}`);
    case "drift_detected":
      return main(`drift (${record.data.kind}): ${oneLine(record.data.detail, 160)}`);
    case "drift_resolved":
      return main(`drift (${record.data.kind}) was settled by ${record.data.by}`);
    case "workflow_benched":
      return main(`${record.data.workflow_id} is benched: ${oneLine(record.data.reason, 160)}`);
    case "configuration_reloaded":
      return main(
        `${record.data.by} reloaded the configuration: ${record.data.changes.slice(0, 5).join(", ")}`,
      );
    case "session_stopped":
      return main(
        `${endingText(record.data.status, record.data.stop_reason)}: ${oneLine(record.data.detail, 200)}`,
      );
    case "session_reopened":
      return main(`reopened by ${record.data.by}`);
    case "journal_repaired":
      return main(
        `an unfinished write of ${plural(record.data.bytes, "byte")} was cut off the journal`,
      );
    default:
      return detail(record.type);
  }
}

const STOP_WORDS = {
  graceful: "after this iteration",
  now: "now, ending the agent",
  kill: "by force",
} as const;

function describeReached({ limit, spent, needed, value }: RecordData<"limit_reached">): Described {
  const [used, more, all] = [spent, needed, value].map((amount) => amountText(limit, amount));
  return main(`${limit} is reached: ${used} spent and ${more} needed of ${all}`);
}

function limitText(limit: RaisableLimit, value: number | null): string {
  return value === null ? "none" : amountText(limit, value);
}

function describeBaseline(
  data: Extract<JournalRecord, { type: "baseline_recorded" }>["data"],
): Described {
  const before = data.red_before ?? [];
  const failing = data.red.filter((id) => !before.some((red) => red.id === id));
  const mended = before.filter(({ id }) => !data.errors.includes(id));
  const parts = [
    ...(failing.length > 0 ? [`fail now: ${failing.join(", ")}`] : []),
    ...mended.map(({ id, session_id: session }) => {
      const where = session === undefined ? "an earlier session" : `session ${session}`;
      return `${id} passes now, was red in ${where}`;
    }),
    ...(data.vacuous.length > 0 ? [`pass already: ${data.vacuous.join(", ")}`] : []),
    ...(data.errors.length > 0 ? [`can't run: ${data.errors.join(", ")}`] : []),
  ];
  return main(`baseline ${data.outcome}${parts.length === 0 ? "" : ` (${parts.join("; ")})`}`);
}

function taskName(data: {
  kind: "workflow" | "verification";
  iteration: number;
  workflow_id: string | null;
}): string {
  if (data.kind === "verification") return "the verification";
  return `iteration ${data.iteration}${data.workflow_id === null ? "" : ` (${data.workflow_id})`}`;
}

function main(text: string, below?: readonly string[]): Described {
  return { weight: "main", text, ...(below === undefined ? {} : { below }) };
}

function detail(text: string): Described {
  return { weight: "detail", text };
}
