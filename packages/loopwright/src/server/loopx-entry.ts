import { join } from "node:path";
import type { Projection, RegistryGoal } from "@loopwright/protocol";
import { loopxAttention } from "../control-plane/loopx/attention.ts";
import { type LoopxGoal, readLoopxGoal } from "../control-plane/loopx/read-loopx-goal.ts";
import { printOf } from "../control-plane/projection/source-print.ts";
import { goalStatusOf } from "../read-api/goal-status.ts";
import { type Clock, timestamp } from "../seams/clock.ts";
import { runtimeLayout } from "../store/layout.ts";
import type { GoalEntry } from "./goal-entry.ts";
import { NONE, printsOf } from "./prints.ts";

export interface LoopxEntryOptions {
  readonly registryPath: string;
  readonly runtimeRoot: string;
  readonly home: string;
  readonly clock: Clock;
}

/** A goal of a LoopX project as the model keeps it, read in place; the same object while its files are the same. */
export function readLoopxEntry(
  { registryPath, runtimeRoot, home, clock }: LoopxEntryOptions,
  goal: RegistryGoal,
  known: GoalEntry | undefined,
): GoalEntry {
  if (known !== undefined && known.goal === goal) {
    const { quick, rest } = printsOf(known.places);
    if (quick === known.prints.quick && rest === known.prints.rest) return known;
  }
  const layout = runtimeLayout(runtimeRoot).goal(goal.id);
  const runs = join(layout.directory, "runs", "index.jsonl");
  // Once for where its files are, once more for what they say after their prints were taken.
  const { stateFile } = readLoopxGoal(registryPath, runtimeRoot, goal, home);
  const places = {
    quick: [runs, ...(stateFile === null ? [] : [stateFile])],
    rest: [layout.directory],
  };
  const prints = printsOf(places);
  const found = readLoopxGoal(registryPath, runtimeRoot, goal, home);
  const projection = projectionOf(found, layout.directory, runs, timestamp(clock));
  const status = goalStatusOf({
    id: goal.id,
    title: found.title === "" ? (found.state?.objective ?? "") : found.title,
    session: null,
    phase: null,
    nextAction: found.state?.nextActions[0] ?? null,
    attention: projection.attention,
    warnings: projection.warnings,
  });
  const { state, runs: index } = projection.derived_from;
  const settled = state.settled && index.settled;
  return { goal, layout, projection, status, places, prints: settled ? prints : NONE };
}

function projectionOf(
  { id, state, stateFile, latest, drift, ...rest }: LoopxGoal,
  directory: string,
  runs: string,
  at: string,
): Projection {
  const open = (role: "user" | "agent"): number =>
    state?.todos.filter((todo) => todo.state === "open" && todo.role === role).length ?? 0;
  const recommended = latest?.recommended_action ?? "";
  return {
    schema_version: 1,
    goal_id: id,
    generated_at: at,
    phase: null,
    coordinator: { liveness: "none" },
    activation: null,
    sessions: 0,
    session: null,
    active_state: state && {
      digest: state.digest,
      next_action: state.nextActions[0] ?? null,
      open_todos: { you: open("user"), agent: open("agent") },
    },
    latest_run: null,
    recommending_run: null,
    checkout: null,
    recommended_action:
      recommended === "" || latest === null
        ? null
        : { text: recommended, source: "run", at: latest.generated_at },
    warnings: drift === null ? [] : [drift],
    attention: loopxAttention({ id, state, stateFile, latest, drift, ...rest }, at),
    problems: [],
    derived_from: {
      goal: printOf("goal", directory),
      archive: printOf("archive", directory),
      state: printOf("state", stateFile ?? directory),
      runs: printOf("runs", runs),
      sessions: printOf("sessions", directory),
      session: null,
      journal: null,
      head: null,
    },
  };
}
