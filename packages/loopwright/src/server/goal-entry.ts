import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GoalStatus, Projection, RegistryGoal } from "@loopwright/protocol";
import {
  buildProjection,
  gather,
  lookAround,
  readProjection,
  type ReadingSeams,
} from "../control-plane/projection/index.ts";
import { goalStatusOf } from "../read-api/goal-status.ts";
import { type GoalLayout, runtimeLayout } from "../store/layout.ts";

/** One goal as the model keeps it. */
export interface GoalEntry {
  readonly goal: RegistryGoal;
  readonly layout: GoalLayout;
  readonly projection: Projection;
  readonly status: GoalStatus;
  /** How its files looked before they were read. */
  readonly print: string;
}

/**
 * One goal as it is now; the same object when nothing about it changed. Costs a few `stat`s then, whatever the number
 * of goals and the length of journals. Writes nothing.
 */
export function readEntry(
  runtimeRoot: string,
  goal: RegistryGoal,
  known: GoalEntry | undefined,
  { clock, processes }: ReadingSeams,
): GoalEntry {
  const layout = known?.layout ?? runtimeLayout(runtimeRoot).goal(goal.id);
  const print = printOf(layout, known?.projection);
  const running = known?.projection.session?.status === "running";
  if (known !== undefined && known.goal === goal && print === known.print && !running) return known;
  const goalId = goal.id;
  const now = clock.wall();
  const before = known?.projection ?? readProjection(runtimeRoot, goalId);
  const gathered = gather(layout, { goalId, known: before, now });
  const world = lookAround(gathered, { runtimeRoot, goal: layout, goalId, processes, now });
  const projection = buildProjection(goalId, gathered, world);
  const { session, phase, attention, warnings } = projection;
  const status = goalStatusOf({
    id: goalId,
    title: goal.title === "" ? (session?.title ?? "") : goal.title,
    session,
    phase,
    nextAction: projection.active_state?.next_action ?? null,
    attention,
    warnings: warnings.length,
  });
  const unsettled = !isSettled(projection);
  const entry = { goal, layout, projection, status, print: unsettled ? "" : print };
  if (known === undefined || !isSame(known, entry)) return entry;
  // Nothing that anybody sees changed: who compares objects must find the same one.
  return print === known.print ? known : { ...known, projection, print: entry.print };
}

/** What a look at the whole runtime root compares: directories tell what was made or replaced in them. */
function printOf(layout: GoalLayout, known: Projection | undefined): string {
  const session = known?.session;
  const head = known?.derived_from.head?.path;
  const paths = [
    layout.directory,
    layout.goalJson,
    layout.locks,
    layout.sessions,
    layout.activeState,
    layout.runs,
    ...(session === null || session === undefined
      ? []
      : [
          layout.session(session.session_id).journal,
          dirname(layout.session(session.session_id).journal),
        ]),
    ...(head === undefined ? [] : [head.startsWith("/") ? head : join(layout.directory, head)]),
  ];
  return paths.map(look).join(" ");
}

function look(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined
      ? "-"
      : `${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}`;
  } catch {
    return "?";
  }
}

/** False: a source had changed so shortly before that a further change might not show; it is read again. */
function isSettled({ derived_from: from, problems }: Projection): boolean {
  const prints = [from.goal, from.state, from.runs, from.sessions, from.session, from.journal];
  return problems.length === 0 && prints.every((each) => each === null || each.settled);
}

function isSame(a: GoalEntry, b: GoalEntry): boolean {
  return (
    a.goal === b.goal &&
    a.projection.session?.seq === b.projection.session?.seq &&
    JSON.stringify(a.status) === JSON.stringify(b.status) &&
    JSON.stringify(a.projection.attention) === JSON.stringify(b.projection.attention)
  );
}
