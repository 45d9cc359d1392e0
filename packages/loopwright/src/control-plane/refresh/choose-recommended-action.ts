import type { RecommendationSource, RunRow } from "@loopwright/protocol";
import { type ActiveState, byPriority, digestOfText } from "../active-state/index.ts";

export interface Recommended {
  readonly text: string;
  readonly source: RecommendationSource;
  /** The run whose report says so. */
  readonly run?: RunRow;
}

export const NOTHING_RECOMMENDED =
  "Say what is next: write it under ## Next Action of ACTIVE_STATE.md, or run the goal and let it plan.";

/**
 * What to do next, by the first that says it: whoever asks, the newest report, the next action, the most urgent open
 * todo of an agent. A report counts unless the next action was moved, or somebody decided, after it. Pure.
 * @param rows oldest first
 */
export function chooseRecommendedAction(
  explicit: string | undefined,
  rows: readonly RunRow[],
  state: Pick<ActiveState, "nextActions" | "todos"> | undefined,
): Recommended {
  if (explicit !== undefined) return { text: explicit, source: "explicit" };
  const nextAction = state?.nextActions[0]?.text;
  const run = reportOf(rows, nextAction);
  if (run?.recommended_action !== undefined)
    return { text: run.recommended_action, source: "report", run };
  if (nextAction !== undefined) return { text: nextAction, source: "next_action" };
  const todo = byPriority(state?.todos ?? []).find(
    ({ state: stands, role, text }) => stands === "open" && role === "agent" && text !== "",
  );
  if (todo !== undefined) return { text: todo.text, source: "todo" };
  return { text: NOTHING_RECOMMENDED, source: "default" };
}

function reportOf(rows: readonly RunRow[], nextAction: string | undefined): RunRow | undefined {
  const decided = rows.findLastIndex(({ kind }) => kind === "decision");
  const run = rows
    .slice(decided + 1)
    .findLast(
      ({ kind, recommended_action: action }) => kind === "iteration" && action !== undefined,
    );
  const then = run?.next_action_digest;
  const moved = then !== undefined && then !== digestOfText(nextAction ?? "");
  return moved ? undefined : run;
}
