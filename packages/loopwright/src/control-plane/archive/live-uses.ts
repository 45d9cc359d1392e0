import { foldLine, type State } from "@loopwright/engine";
import { type JournalLine, LoopwrightError } from "@loopwright/protocol";
import { readJournal } from "../../store/journal-reader.ts";
import type { GoalLayout } from "../../store/layout.ts";
import { readLock } from "../../store/lock.ts";
import { listSessions } from "../../store/session-lookup.ts";
import type { ArchiveSeams } from "./seams.ts";

/** What still lives of a goal, so that its directory can't be moved; undefined when nothing does. */
export function liveUse(
  { processes }: Pick<ArchiveSeams, "processes">,
  goal: GoalLayout,
): LoopwrightError | undefined {
  const lock = readLock(goal.lock);
  if (lock !== undefined && !lock.released) {
    const { holder } = lock.file;
    const liveness = processes.liveness(holder);
    const who = `process ${holder.pid} on ${holder.host}`;
    if (liveness === "alive") {
      return new LoopwrightError("LOCK_HELD", `The goal is in use by ${who}`, {
        hint: "End it with: loopwright stop",
      });
    }
    if (liveness === "unknown") {
      return new LoopwrightError(
        "LOCK_UNKNOWN_HOLDER",
        `The goal was last held by ${who}, of which nothing can be said from here`,
        { hint: "Look where it ran; once it is surely gone: loopwright doctor --fix --take-over" },
      );
    }
  }
  return liveCrew(processes, goal);
}

/** A worker or an agent that outlived its coordinator still writes into the session. */
function liveCrew(
  processes: ArchiveSeams["processes"],
  goal: GoalLayout,
): LoopwrightError | undefined {
  const state = latestState(goal);
  if (state === undefined) return undefined;
  if (state.seat !== null && processes.liveness(state.seat) === "alive") {
    return new LoopwrightError(
      "SEAT_TAKEN",
      `Its worker still runs: process ${state.seat.pid} on ${state.seat.host}`,
      { hint: "End it, or let it finish: loopwright run" },
    );
  }
  const attempt = state.task?.attempt_id ?? null;
  const agents = attempt === null ? [] : processes.marked(attempt);
  if (agents.length === 0) return undefined;
  return new LoopwrightError(
    "LEFTOVERS_ALIVE",
    `An agent of it still runs: process ${agents.map(({ pid }) => pid).join(", ")}`,
    { hint: "Let it finish: loopwright run. Or end it: loopwright doctor --fix" },
  );
}

/** A journal that can't be read says nothing about processes; the goal may be archived for just that. */
function latestState(goal: GoalLayout): State | undefined {
  const latest = listSessions(goal.sessions).at(-1);
  if (latest === undefined) return undefined;
  try {
    let state: State | null = null;
    for (const line of readJournal(goal.session(latest).journal)
      .lines as unknown as JournalLine[]) {
      state = foldLine(state, line);
    }
    return state ?? undefined;
  } catch (error) {
    if (error instanceof LoopwrightError) return undefined;
    throw error;
  }
}
