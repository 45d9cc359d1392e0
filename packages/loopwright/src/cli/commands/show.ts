import { endingText, plural } from "@loopwright/protocol";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { openSession } from "../open-session.ts";
import { iterationRows } from "../show/iteration-rows.ts";
import { showIteration } from "../show/show-iteration.ts";
import { spendingText } from "../../read-api/words/spending.ts";
import { findGoal } from "../target.ts";

export async function run(context: Context, { args }: Invocation): Promise<number> {
  const { output } = context;
  const opened = openSession(findGoal(context), String(args[0]));
  if (args[1] !== undefined) return showIteration(context, opened, Number(args[1]));
  const { session, state, layout } = opened;
  const rows = iterationRows(opened.lines);
  output.line(output.style("bold", session.title));
  output.line(`session   ${opened.id}`);
  output.line(
    `status    ${endingText(state.status, state.stop_reason)}${state.stop_detail === null ? "" : `: ${state.stop_detail}`}`,
  );
  output.line(
    `started   ${state.started_at}, from ${session.base_commit ?? "no commit"} in ${session.repository}`,
  );
  output.line(
    `set       ${session.workflow_set}: ${session.workflows.map(({ id }) => id).join(", ")}`,
  );
  output.line(
    `checks    ${session.pins.checks.map(({ id }) => id).join(", ") || "none"}; ${plural(session.pins.files.length, "pinned file")}`,
  );
  output.line(
    `spent     ${state.iterations} of ${plural(state.limits.max_iterations, "iteration")}, ${spendingText(state.spent)}`,
  );
  output.line(`files     ${layout.directory}`);
  if (rows.length > 0) output.line();
  for (const { iteration, workflow_id, outcome, summary } of rows) {
    output.line(
      `${String(iteration).padStart(4)}  ${workflow_id.padEnd(16)} ${outcome.padEnd(12)} ${summary}`,
    );
  }
  output.document({
    session: { ...session, workflows: session.workflows.map(({ id }) => id) },
    state,
    iterations: rows,
    directory: layout.directory,
  });
  return 0;
}
