import type { Projection } from "@loopwright/protocol";
import type { GoalLayout } from "../../store/layout.ts";
import { archiveFileIn } from "../archive/archive-file.ts";
import { readActivation } from "../goal-activation.ts";
import { activeStateOf } from "./active-state-of.ts";
import { checkoutPart } from "./checkout-part.ts";
import { gatherSession, type OwnSession } from "./gather-session.ts";
import { latestRunsOf } from "./latest-run.ts";
import { partOf, type Problems } from "./part.ts";
import { warningsOf } from "./warnings.ts";

/** What of a projection depends on files and git alone. A whole projection is one, too. */
export type Gathered = Pick<
  Projection,
  | "activation"
  | "sessions"
  | "session"
  | "active_state"
  | "latest_run"
  | "recommending_run"
  | "checkout"
  | "warnings"
  | "problems"
  | "derived_from"
>;

export interface GatherOptions {
  readonly goalId: string;
  /** An earlier projection: what its sources still say is taken from it. */
  readonly known?: Gathered | undefined;
  /** The session of the coordinator that asks: its memory stands where the journal stands. */
  readonly own?: OwnSession | undefined;
  /** Wall milliseconds. */
  readonly now: number;
}

/** Looks at every source with one `stat`, and reads those that changed. What is wrong with one is told in `problems`. */
export function gather(goal: GoalLayout, options: GatherOptions): Gathered {
  const { goalId, own, now } = options;
  // What couldn't be read is tried again each time: it may have been mended without a trace in our sources.
  const known = options.known?.problems.length === 0 ? options.known : undefined;
  const from = known?.derived_from;
  const problems: Problems = [];

  const activation = partOf(
    {
      name: "goal.json",
      path: goal.goalJson,
      known: from && { value: known.activation, print: from.goal },
      otherwise: null,
      read: () => ({ value: readActivation(goal) ?? null }),
    },
    problems,
  );
  const archive = partOf(
    {
      name: "archive.json",
      path: archiveFileIn(goal.directory),
      known: from && { value: null, print: from.archive },
      otherwise: null,
      read: () => ({ value: null }),
    },
    problems,
  );
  const state = partOf(
    {
      name: "ACTIVE_STATE.md",
      path: goal.activeState,
      known: from && { value: known.active_state, print: from.state },
      otherwise: null,
      read: () => activeStateOf(goal.activeState),
    },
    problems,
  );
  const runs = partOf(
    {
      name: "runs.jsonl",
      path: goal.runs,
      known: from && {
        value: { latest: known.latest_run, recommending: known.recommending_run },
        print: from.runs,
      },
      otherwise: { latest: null, recommending: null },
      read: () => ({ value: latestRunsOf(goal.runs) }),
    },
    problems,
  );
  const session = gatherSession(goal, { known, own, now, problems });
  const checkout = checkoutPart(session.session?.repository, known, problems);

  const facts = {
    activation: activation.value,
    sessions: session.sessions,
    session: session.session,
    active_state: state.value,
    latest_run: runs.value.latest,
    recommending_run: runs.value.recommending,
    checkout: checkout?.value ?? null,
  };
  const fresh = [activation, state, runs, session, checkout].some((part) => part?.fresh === true);
  return {
    ...facts,
    warnings: known === undefined || fresh ? warningsOf(goalId, facts) : known.warnings,
    problems,
    derived_from: {
      goal: activation.print,
      archive: archive.print,
      state: state.print,
      runs: runs.print,
      ...session.prints,
      head: checkout?.print ?? null,
    },
  };
}
