import type { JournalLine } from "@loopwright/protocol";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { followJournal } from "../follow-journal.ts";
import { openSession } from "../open-session.ts";
import { describeRecord } from "../../read-api/words/describe-record.ts";
import { clockTime } from "../../read-api/words/numbers.ts";
import { findGoal } from "../target.ts";

interface EventsOptions {
  readonly follow?: boolean;
  readonly after?: number;
}

/** With `--json`: one document; with `--json --follow`: one JSON event a line. */
export async function run(context: Context, { args, options }: Invocation): Promise<number> {
  const { follow = false, after = 0 } = options as EventsOptions;
  const { output } = context;
  const opened = openSession(findGoal(context), String(args[0]));
  const lines = opened.lines.filter(({ seq }) => seq > after);
  for (const line of lines) printLine(context, line, follow);
  if (!follow) output.document({ session_id: opened.id, events: lines.flatMap(eventsOf) });
  if (!follow || opened.state.status !== "running") return 0;
  await followJournal(context.seams, opened, (line) => {
    if (line.seq > after) printLine(context, line, true);
  });
  return 0;
}

function printLine({ output }: Context, line: JournalLine, streamed: boolean): void {
  if (output.json) {
    if (!streamed) return;
    for (const event of eventsOf(line)) process.stdout.write(`${JSON.stringify(event)}\n`);
    return;
  }
  for (const [index, record] of line.records.entries()) {
    const id = `${line.seq}.${index}`.padEnd(7);
    output.line(
      `${id} ${clockTime(line.at)}  ${record.type.padEnd(22)} ${describeRecord(record).text}`,
    );
  }
}

function eventsOf(line: JournalLine): object[] {
  return line.records.map((record, index) => ({
    id: `${line.seq}.${index}`,
    at: line.at,
    epoch: line.epoch,
    type: record.type,
    data: record.data,
  }));
}
