import { isDeepStrictEqual } from "node:util";
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
import { NONE, type Places, placesOf, printOf, type Prints, printsOf } from "./prints.ts";

/** One goal as the model keeps it. */
export interface GoalEntry {
  readonly goal: RegistryGoal;
  readonly layout: GoalLayout;
  readonly projection: Projection;
  readonly status: GoalStatus;
  /** How its files looked before they were read. */
  readonly prints: Prints;
  readonly places: Places;
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
  const goalId = goal.id;
  const now = clock.wall();
  const before = known?.projection ?? readProjection(runtimeRoot, goalId);
  // Taken before anything is read, so that what changes meanwhile is found the next time.
  const looked = known?.places ?? placesOf(layout, before);
  const prints = printsOf(looked);
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
    warnings,
  });
  const places = placesOf(layout, projection);
  const isWhole = isSettled(projection) && isDeepStrictEqual(places, looked);
  const entry = { goal, layout, projection, status, places, prints: isWhole ? prints : NONE };
  // Nothing that anybody sees changed: who compares rows must find the same one.
  return known === undefined || !isSame(known, entry) ? entry : { ...entry, status: known.status };
}

/** What is running depends on processes, too. */
function isUnchanged({ places, projection, prints }: GoalEntry, depth: "quick" | "full"): boolean {
  if (projection.session?.status === "running") return false;
  if (printOf(places.quick) !== prints.quick) return false;
  return depth === "quick" || printOf(places.rest) === prints.rest;
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
    wordsOf(a.projection) === wordsOf(b.projection)
  );
}

/** What can't be read is found broken anew each time: that alone is no change. */
function wordsOf({ attention, problems }: Projection): string {
  return JSON.stringify(problems.length === 0 ? attention : attention.map(({ text }) => text));
}
