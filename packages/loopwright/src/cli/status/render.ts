import { checksAge } from "@loopwright/engine";
import { endingText, formatDuration, type ProjectedSession } from "@loopwright/protocol";
import type { Context } from "../context.ts";
import { money } from "../../read-api/words/numbers.ts";
import { oneLine } from "../../read-api/words/printable.ts";
import { spendingText } from "../../read-api/words/spending.ts";
import type { GoalView } from "./goal-view.ts";

/** One line a goal, those that wait on somebody first: the most severe, of these the oldest. */
export function renderGoals(
  { output }: Context,
  views: readonly GoalView[],
  registryPath: string,
): string {
  if (views.length === 0) return `No goals in ${registryPath}. Run: loopwright init`;
  const rank = ({ attention }: GoalView): number =>
    ({ high: 0, action: 1, watch: 2 })[attention[0]?.severity ?? "watch"] +
    (attention.length === 0 ? 1 : 0);
  const since = ({ attention }: GoalView): string => attention[0]?.since ?? "";
  const ordered = views.toSorted(
    (a, b) => rank(a) - rank(b) || (since(a) < since(b) ? -1 : since(a) > since(b) ? 1 : 0),
  );
  const rows = ordered.map((view) => [
    view.target.goal.id,
    phaseText(view),
    iterationText(view.session),
    view.session === null ? "" : money(view.session.spent.cost_usd),
    oneLine(view.attention[0]?.text ?? view.nextAction ?? view.title, 80),
  ]);
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .map((line, index) =>
      ordered[index]?.attention.length === 0 ? line : output.style("bold", line),
    )
    .join("\n");
}

/** A goal in full. */
export function renderGoal({ output, seams }: Context, view: GoalView): string {
  const { target, session } = view;
  const lines = [`${output.style("bold", target.goal.id)}  ${phaseText(view)}`];
  if (view.title !== "") lines.push(oneLine(view.title, 100));
  for (const item of view.attention) {
    lines.push(
      `${output.style(item.severity === "watch" ? "dim" : "yellow", item.severity.padEnd(6))} ${item.text}${questionText(item)}`,
    );
    if (item.next_command !== null) lines.push(`       ${item.next_command}`);
  }
  if (view.foreign !== undefined) return [...lines, ...view.foreign.lines].join("\n");
  if (session === null) {
    if (view.attention.length === 0) lines.push("No session yet. Run: loopwright run");
    return lines.join("\n");
  }
  const { task, last, spent, limits } = session;
  const now = seams.clock.wall();
  if (task !== null) {
    const what =
      task.kind === "workflow"
        ? `iteration ${task.iteration}: ${task.workflow_id}`
        : `verification (${task.verification})`;
    lines.push(
      `now     ${what}, for ${formatDuration(Math.max(0, now - Date.parse(task.started_at)))}`,
    );
  }
  if (session.stop_requested !== null && session.status === "running") {
    lines.push(
      `stop    asked for (${session.stop_requested.mode}) ${formatDuration(Math.max(0, now - Date.parse(session.stop_requested.at)))} ago`,
    );
  }
  if (last !== null)
    lines.push(
      `last    iteration ${last.iteration}: ${last.workflow_id}, ${last.succeeded ? "succeeded" : last.outcome}${last.summary === "" ? "" : `: ${oneLine(last.summary, 100)}`}`,
    );
  if (view.nextAction !== null) lines.push(`next    ${oneLine(view.nextAction, 100)}`);
  if (session.gate.last !== null) lines.push(`checks  ${checksText(session)}`);
  for (const input of session.inputs) lines.push(inputText(session, input));
  lines.push(
    `spent   ${iterationText(session)} ${limits.max_iterations === 1 ? "iteration" : "iterations"}, ${spendingText(spent)}${limits.max_cost_usd === null ? "" : ` of ${money(limits.max_cost_usd)}`}, ${formatDuration(spent.live_ms)} of work`,
  );
  lines.push(`files   ${target.layout.session(session.session_id).directory}`);
  return lines.join("\n");
}

function questionText({ question }: GoalView["attention"][number]): string {
  if (question === undefined) return "";
  const { text, options } = question;
  return `: ${oneLine(text, 300)}${options.length === 0 ? "" : ` (${options.join(" | ")})`}`;
}

function inputText(
  { status }: ProjectedSession,
  { id, text, delivered }: ProjectedSession["inputs"][number],
): string {
  const note =
    status !== "goal_met"
      ? ""
      : delivered.length === 0
        ? " (reached no iteration)"
        : " (no iteration has dealt with it)";
  return `input   ${id}: ${oneLine(text, 80)}${note}`;
}

function phaseText({ phase, session, foreign }: GoalView): string {
  if (foreign !== undefined) return foreign.phase;
  if (session === null || phase === null) return "no session";
  if (phase !== "ended") return phase;
  if (session.status === "goal_met")
    return session.verified === true ? "goal met, verified" : "goal met, not verified";
  return endingText(session.status, session.stop_reason);
}

function iterationText(session: ProjectedSession | null): string {
  if (session === null) return "";
  const { task, iterations, limits } = session;
  return `${task?.kind === "workflow" ? task.iteration : iterations}/${limits.max_iterations}`;
}

function checksText(session: ProjectedSession): string {
  const { gate } = session;
  const checks = gate.last?.receipt.checks ?? [];
  const of = (outcome: string): string[] =>
    checks.filter((check) => check.outcome === outcome).map(({ id }) => id);
  const [fail, error] = [of("fail"), of("error")];
  const parts = [
    `${of("pass").length} of ${checks.length} pass`,
    ...(fail.length > 0 ? [`failing: ${fail.join(", ")}`] : []),
    ...(error.length > 0 ? [`can't run: ${error.join(", ")}`] : []),
  ];
  return `${parts.join("; ")} (${checksAge(session)})`;
}
