import { relative } from "node:path";
import { explainStop, type State } from "@loopwright/engine";
import { formatDuration } from "@loopwright/protocol";
import type { Context } from "../context.ts";
import { printable } from "../../read-api/words/printable.ts";
import type { GoalTarget } from "../target.ts";

/** The end of a `run`: how it ended, why, what it took, where to read more. */
export function tellEnd({ output, cwd }: Context, target: GoalTarget, state: State): void {
  const layout = target.layout.session(state.session_id);
  const met = state.status === "goal_met";
  const [headline = "", ...sentences] = explainStop(state);
  output.line();
  output.line(output.style(met ? "green" : "yellow", printable(headline)));
  for (const sentence of sentences) output.line(printable(sentence));
  output.line(
    `${formatDuration(state.spent.live_ms)} of work. Report: ${nearer(cwd, layout.report)}`,
  );
  output.document({
    session_id: state.session_id,
    status: state.status,
    stop_reason: state.stop_reason,
    stop_detail: state.stop_detail,
    verified: state.verified,
    iterations: state.iterations,
    spent: state.spent,
    directory: layout.directory,
    report: layout.report,
  });
}

/** A baseline that refuses is a matter of the configuration, not of the work. */
export function exitCodeOf({
  status,
  stop_reason: reason,
}: Pick<State, "status" | "stop_reason">): number {
  if (reason === "baseline_green" || reason === "baseline_error") return 5;
  return { goal_met: 0, stopped: 10, failed: 11, running: 130 }[status];
}

function nearer(cwd: string, path: string): string {
  const way = relative(cwd, path);
  return way.startsWith("..") || way.length >= path.length ? path : way;
}
