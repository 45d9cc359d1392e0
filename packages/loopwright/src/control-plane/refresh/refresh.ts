import type { DriftWarning, RunRow } from "@loopwright/protocol";
import type { GoalLayout } from "../../store/layout.ts";
import type { BadLine } from "../../store/line-file.ts";
import {
  digestOfText,
  parseActiveState,
  readActiveState,
  type StateProblem,
  withNextAction,
} from "../active-state/index.ts";
import { readFrontMatter } from "../active-state/front-matter.ts";
import { planDrift, recommendingRun } from "../drift/plan-drift.ts";
import { readRunIndex } from "../run-index/index.ts";
import { chooseRecommendedAction } from "./choose-recommended-action.ts";

export interface RefreshOptions {
  readonly goalId: string;
  readonly runId: string;
  /** ISO-8601. */
  readonly at: string;
  readonly recommendedAction?: string | undefined;
  /** As if the next action were this one: for a preview. */
  readonly nextAction?: string | undefined;
  readonly classification?: string | undefined;
}

/** A goal's state, read anew. */
export interface Refreshed {
  /** The run to be appended. */
  readonly row: RunRow;
  readonly nextAction: string | null;
  /** As they stand with this run. */
  readonly warnings: readonly DriftWarning[];
  /** Of `ACTIVE_STATE.md`, by line. */
  readonly problems: readonly StateProblem[];
  /** Of the run index. */
  readonly badLines: readonly BadLine[];
}

/** Reads the newest run and the active state, and chooses what to do next. Writes nothing. Throws FILE_UNSAFE. */
export function refresh(goal: GoalLayout, options: RefreshOptions): Refreshed {
  const { goalId, runId, at } = options;
  const found = readActiveState(goal.activeState);
  const { rows, bad } = readRunIndex(goal.runs);
  const text =
    options.nextAction === undefined ? found : withNextAction(found ?? "", options.nextAction, at);
  const state = text === undefined ? undefined : parseActiveState(text);
  const nextAction = state?.nextActions[0]?.text ?? null;
  const {
    text: action,
    source,
    run,
  } = chooseRecommendedAction(options.recommendedAction, rows, state);
  const row: RunRow = {
    run_id: runId,
    generated_at: at,
    kind: "refresh",
    ...(run === undefined ? {} : originOf(run)),
    classification: options.classification ?? "refreshed",
    recommended_action: action,
    recommended_action_source: source,
    state_digest: state?.digest ?? "",
    ...(nextAction === null ? {} : { next_action_digest: digestOfText(nextAction) }),
    path: run?.path ?? "",
  };
  const open = (role: "you" | "agent"): number =>
    state?.todos.filter((todo) => todo.state === "open" && todo.role === role).length ?? 0;
  const activeState = state && {
    digest: state.digest,
    nextAction,
    openTodos: { you: open("you"), agent: open("agent") },
  };
  return {
    row,
    nextAction,
    warnings: planDrift({
      goalId,
      activeState: activeState ?? null,
      latest: row,
      recommending: recommendingRun([row]),
    }),
    problems: text === undefined || state === undefined ? [] : problemsOf(goalId, text, state),
    badLines: bad,
  };
}

function originOf({ session_id, iteration, workflow_id, plans }: RunRow): Partial<RunRow> {
  return {
    ...(session_id === undefined ? {} : { session_id }),
    ...(iteration === undefined ? {} : { iteration }),
    ...(workflow_id === undefined ? {} : { workflow_id }),
    ...(plans === undefined ? {} : { plans }),
  };
}

function problemsOf(
  goalId: string,
  text: string,
  { problems }: { readonly problems: readonly StateProblem[] },
): StateProblem[] {
  const front = readFrontMatter(text);
  const other: StateProblem[] =
    front.goalId === undefined || front.goalId === goalId
      ? []
      : [{ line: 1, message: `the front matter says that this is the state of "${front.goalId}"` }];
  return [...front.problems, ...other, ...problems];
}
