import { LoopwrightError } from "@loopwright/protocol";
import { actionLine } from "../../control-plane/active-state/index.ts";
import { publishProjection } from "../../coordinator/publish-projection.ts";
import { refresh, type Refreshed } from "../../control-plane/refresh/refresh.ts";
import { oneLine } from "../../read-api/words/printable.ts";
import { timestamp } from "../../seams/clock.ts";
import { appendRow } from "../../store/line-file.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { warningLines } from "../output/warning-lines.ts";
import { requireGoalData } from "../require-goal-data.ts";
import { settleGoal } from "../settle-goal.ts";
import { findGoal } from "../target.ts";

interface RefreshFlags {
  readonly recommendedAction?: string;
  readonly nextAction?: string;
  readonly classification?: string;
  readonly dryRun?: boolean;
}

/** Reads a goal's state anew and appends a run that says so. */
export async function run(context: Context, { args, options }: Invocation): Promise<number> {
  const { output, seams } = context;
  const { recommendedAction, nextAction, classification, dryRun = false } = options as RefreshFlags;
  for (const [flag, text] of Object.entries({ recommendedAction, nextAction })) {
    if (text !== undefined && actionLine(text) === "") throw emptyAction(flag);
  }
  const target = findGoal(context, args[0] as string | undefined);
  const { goal, layout } = target;
  requireGoalData(target);
  if (nextAction !== undefined && !dryRun)
    await settleGoal(context, target, { take: "state", next_action: nextAction });
  const refreshed = refresh(layout, {
    goalId: goal.id,
    runId: seams.ids.next(),
    at: timestamp(seams.clock),
    recommendedAction,
    classification,
    ...(dryRun ? { nextAction } : {}),
  });
  if (!dryRun) {
    appendRow(seams.disk, layout.runs, refreshed.row);
    publishProjection(seams, target.runtimeRoot, goal.id);
  }
  output.document({ goal_id: goal.id, dry_run: dryRun, ...document(refreshed) });
  for (const { line, message } of refreshed.problems)
    output.warn(`${layout.activeState}:${line} ${message}`);
  for (const { lineNumber, reason } of refreshed.badLines)
    output.warn(`${layout.runs}:${lineNumber} ${reason}`);
  const { recommended_action: action = "", recommended_action_source: source } = refreshed.row;
  output.line(dryRun ? `${goal.id}: this would be noted` : `${goal.id}: refreshed`);
  output.line(`  next action  ${oneLine(refreshed.nextAction ?? "(none)", 300)}`);
  output.line(`  recommended  ${oneLine(action, 300)} (${SOURCES[source] ?? source})`);
  for (const line of warningLines(output, refreshed.warnings)) output.line(line);
  return 0;
}

const SOURCES: Readonly<Record<string, string>> = {
  explicit: "as you say",
  report: "from the newest report",
  next_action: "the next action itself",
  todo: "the most urgent open todo",
  default: "nothing says more",
};

function document({ row, nextAction, warnings, problems, badLines }: Refreshed): object {
  return {
    run: row,
    next_action: nextAction,
    warnings,
    problems,
    bad_lines: badLines.map(({ lineNumber: line, reason }) => ({ line, reason })),
  };
}

function emptyAction(flag: string): LoopwrightError {
  const name = flag === "nextAction" ? "--next-action" : "--recommended-action";
  return new LoopwrightError("USAGE", `${name} says nothing`, {
    hint: 'For example: --next-action "Write the parser"',
  });
}
