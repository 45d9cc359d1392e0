import { formatDuration, plural } from "@loopwright/protocol";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { openSession } from "../open-session.ts";
import { describeRecord } from "../../read-api/words/describe-record.ts";
import { clockTime } from "../../read-api/words/numbers.ts";
import { spendingText } from "../../read-api/words/spending.ts";
import { findGoal } from "../target.ts";

export async function run(context: Context, { args }: Invocation): Promise<number> {
  const { output } = context;
  const { id, lines, session, state } = openSession(findGoal(context), String(args[0]));
  const entries = lines.flatMap((line) =>
    line.records
      .map((record) => ({
        seq: line.seq,
        at: line.at,
        type: record.type,
        ...describeRecord(record),
      }))
      .filter(({ weight }) => weight === "main"),
  );
  output.line(session.title);
  output.line(`${id}, base ${session.base_commit?.slice(0, 12) ?? "none"}, ${session.repository}`);
  output.line();
  for (const { at, text, below = [] } of entries) {
    output.line(`${output.style("dim", clockTime(at))}  ${text}`);
    for (const extra of below) output.line(`          ${output.style("dim", extra)}`);
  }
  output.line();
  output.line(
    `${plural(state.iterations, "iteration")}, ${spendingText(state.spent)}, ${formatDuration(state.spent.live_ms)} of work`,
  );
  output.document({
    session_id: id,
    title: session.title,
    status: state.status,
    entries: entries.map(({ seq, at, type, text, below = [] }) => ({ seq, at, type, text, below })),
  });
  return 0;
}
