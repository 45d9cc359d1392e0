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
import { NONE, type Prints, printsOf, quickPrint, restPrint } from "./prints.ts";

/** One goal as the model keeps it. */
export interface GoalEntry {
  readonly goal: RegistryGoal;
  readonly layout: GoalLayout;
  readonly projection: Projection;
  readonly status: GoalStatus;
  /** How its files looked before they were read. */
  readonly prints: Prints;
}

/**
 * One goal as it is now; the same object when nothing about it changed. Costs a few `stat`s then, whatever the number
 * of goals and the length of journals. Writes nothing.
 * @param depth `quick`: looks at what a loop or a person changes all the time; `full`: at everything
 */
export function readEntry(
  runtimeRoot: string,
  goal: RegistryGoal,
  known: GoalEntry | undefined,
  { clock, processes }: ReadingSeams,
  depth: "quick" | "full",
): GoalEntry {
  const layout = known?.layout ?? runtimeLayout(runtimeRoot).goal(goal.id);
  if (known !== undefined && known.goal === goal && isUnchanged(known, depth)) return known;
  const prints = printsOf(layout, known?.projection);
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
  const entry = { goal, layout, projection, status, prints: isSettled(projection) ? prints : NONE };
  // Nothing that anybody sees changed: who compares rows must find the same one.
  return known === undefined || !isSame(known, entry) ? entry : { ...entry, status: known.status };
}

/** What is running depends on processes, too. */
function isUnchanged({ layout, projection, prints }: GoalEntry, depth: "quick" | "full"): boolean {
  if (projection.session?.status === "running") return false;
  if (quickPrint(layout, projection) !== prints.quick) return false;
  return depth === "quick" || restPrint(layout, projection) === prints.rest;
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
