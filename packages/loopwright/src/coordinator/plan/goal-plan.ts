import { relative } from "node:path";
import type { Occurrence, State } from "@loopwright/engine";
import {
  type JournalLine,
  LoopwrightError,
  type RecordData,
  type RunRow,
  type SessionFile,
  type WorkflowTask,
} from "@loopwright/protocol";
import { digestOfText } from "../../control-plane/active-state/index.ts";
import {
  completeRunIndex,
  type IndexedSession,
  iterationRows,
  readRunIndex,
} from "../../control-plane/run-index/index.ts";
import { timestamp } from "../../seams/clock.ts";
import type { Disk } from "../../store/disk.ts";
import { moveAside } from "../../store/found.ts";
import type { GoalLayout } from "../../store/layout.ts";
import { appendRow } from "../../store/line-file.ts";
import type { SessionLayout } from "../../store/session-layout.ts";
import type { Seams } from "../seams.ts";
import { applyMove } from "./apply-move.ts";
import { planContext } from "./plan-context.ts";
import { planFacts } from "./plan-facts.ts";
import { lookAtState } from "./state-now.ts";

type Drift = RecordData<"drift_detected">;

/** What a coordinator keeps of its goal outside of the session: the next action, and the index of runs. */
export interface GoalPlan {
  /** Adds to a finished iteration what its report means for the next action. */
  prepare(occurrence: Occurrence, state: State): Occurrence;
  /** After a commit: moves the next action and appends rows. Returns the drift that kept it from doing so. */
  apply(line: JournalLine): Drift | undefined;
  /** Rows that the disk didn't take when they were due. */
  catchUp(): void;
  /** What a crash left undone. Returns like `apply`. */
  settle(lines: readonly JournalLine[], state: State): Drift | undefined;
  /** For the prompt of the live task, if it plans. */
  context(state: State): WorkflowTask["plan"];
}

export interface GoalPlanOptions {
  readonly seams: Pick<Seams, "clock" | "disk">;
  readonly goal: GoalLayout;
  readonly layout: SessionLayout;
  readonly file: Pick<SessionFile, "goal_id" | "session_id" | "workflows">;
  readonly onProblem: (error: unknown) => void;
}

/** Nothing here throws: what can't be done now is told, and done at the next start from the journal. */
export function createGoalPlan(options: GoalPlanOptions): GoalPlan {
  const { goal, layout, file, onProblem } = options;
  const { clock, disk } = options.seams;
  const session: IndexedSession = {
    sessionId: file.session_id,
    directory: relative(goal.directory, layout.directory),
    planning: new Set(file.workflows.flatMap(({ id, plans }) => (plans ? [id] : []))),
  };
  /** The next action as the live task's prompt had it. */
  let told: { readonly attemptId: string; readonly digest: string } | undefined;

  const owed: RunRow[] = [];
  const appendOwed = (): void => {
    for (let row = owed[0]; row !== undefined; row = owed[0]) {
      appendRow(disk, goal.runs, row, { durable: false });
      owed.shift();
    }
  };

  const carryOut = (move: RecordData<"next_action_moved"> | undefined): Drift | undefined =>
    move && applyMove(disk, goal.activeState, move, file.goal_id);

  return {
    prepare(occurrence, state) {
      if (occurrence.kind !== "finished" || occurrence.plan !== undefined) return occurrence;
      const { finished } = occurrence;
      if (!session.planning.has(finished.workflow_id)) return occurrence;
      const now = lookAtState(goal.activeState);
      if (now === undefined) return occurrence;
      const nextAction = digestOfText(now.nextActions[0]?.text ?? "");
      const movedMeanwhile = told?.attemptId === finished.attempt_id && told.digest !== nextAction;
      const plan = planFacts(state, finished, now, { movedMeanwhile, at: timestamp(clock) });
      return plan === undefined ? occurrence : { ...occurrence, plan };
    },
    apply(line) {
      try {
        const drift = carryOut(moveIn(line));
        // A crash here, or an error above: without its row the move is looked at again at the next start.
        if (endsIteration(line)) {
          const now = lookAtState(goal.activeState);
          const seen = now && { digest: now.digest, nextAction: now.nextActions[0]?.text };
          owed.push(...iterationRows(line, session, seen));
          appendOwed();
        }
        return drift;
      } catch (error) {
        onProblem(error);
        return undefined;
      }
    },
    catchUp() {
      try {
        appendOwed();
      } catch (error) {
        // What the disk says was told at the first try.
        if (!(error instanceof LoopwrightError)) onProblem(error);
      }
    },
    settle(lines, { task }) {
      try {
        const rows = rowsOf(disk, goal.runs);
        const digest = rows.findLast((row) => row.next_action_digest)?.next_action_digest;
        if (task !== null && digest !== undefined) told = { attemptId: task.attempt_id, digest };
        const line = lines.findLast((each) => moveIn(each) !== undefined);
        const ids = line === undefined ? [] : iterationRows(line, session, undefined);
        const done = ids.some(({ run_id }) => rows.some((row) => row.run_id === run_id));
        const drift = line === undefined || done ? undefined : carryOut(moveIn(line));
        completeRunIndex(disk, goal.runs, session, lines);
        // A person's own move, and then an edit: the edit is the newer one.
        return ids.length === 0 ? undefined : drift;
      } catch (error) {
        onProblem(error);
        return undefined;
      }
    },
    context(state) {
      const { task } = state;
      if (task?.kind !== "workflow" || !session.planning.has(task.workflow_id)) return undefined;
      const context = planContext(goal.activeState, layout, state);
      const { attempt_id: attemptId } = task;
      if (told?.attemptId !== attemptId)
        told = { attemptId, digest: digestOfText(context.next_action ?? "") };
      return context;
    },
  };
}

/** What can't be a run index is moved aside: the rows of the session are appended again. */
function rowsOf(disk: Disk, path: string): readonly RunRow[] {
  try {
    return readRunIndex(path).rows;
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    moveAside(disk, path);
    return [];
  }
}

function moveIn({ records }: JournalLine): RecordData<"next_action_moved"> | undefined {
  return records.find((record) => record.type === "next_action_moved")?.data;
}

function endsIteration({ records }: JournalLine): boolean {
  return records.some(({ type }) => type === "task_finished" || type === "task_abandoned");
}
