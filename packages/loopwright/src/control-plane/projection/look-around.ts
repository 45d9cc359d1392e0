import { join } from "node:path";
import { LoopwrightError, type Projection } from "@loopwright/protocol";
import { readProcessFile } from "../../process/attempt-files.ts";
import type { Processes } from "../../process/processes.ts";
import { iterationLayout } from "../../store/iteration-layout.ts";
import type { GoalLayout } from "../../store/layout.ts";
import type { Unnamed } from "./attention.ts";
import { dormantItems } from "./dormant.ts";
import type { Gathered } from "./gather.ts";
import { type Holder, holderOf } from "./holder.ts";

/** What is true at this moment and stands in no file that says so. */
export interface World {
  readonly coordinator: Holder;
  /** The seat's holder; `none`: the seat is free. */
  readonly worker: Holder["liveness"];
  /** Of the agent of the live task, while it runs although no coordinator does. */
  readonly strayAgent: number | null;
  readonly dormant: readonly Unnamed[];
  /** What couldn't be found out. */
  readonly problems: Projection["problems"];
  /** Wall milliseconds. */
  readonly now: number;
}

export interface Surroundings {
  readonly runtimeRoot: string;
  readonly goal: GoalLayout;
  readonly goalId: string;
  readonly processes: Pick<Processes, "liveness">;
  readonly now: number;
}

/** Reads the lock and the process table as far as the session depends on them. */
export function lookAround(gathered: Gathered, around: Surroundings): World {
  const { runtimeRoot, goal, goalId, processes, now } = around;
  const { session, activation, derived_from: from } = gathered;
  const problems: Projection["problems"] = [];
  const guarded = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof LoopwrightError)) throw error;
      problems.push({ code: error.code, message: error.message });
      return otherwise;
    }
  };
  const running = session?.status === "running";
  const coordinator: Holder =
    session === null
      ? { liveness: "none" }
      : guarded(() => holderOf(goal.lock, processes), { liveness: "unknown" });
  const mayRest = activation?.state === "active" && from.archive.size === null;
  return {
    coordinator,
    worker: !running || session.seat === null ? "none" : processes.liveness(session.seat),
    strayAgent: guarded(() => strayAgentOf(goal, session, coordinator, processes), null),
    dormant: mayRest
      ? []
      : guarded(() => dormantItems(runtimeRoot, goalId, new Date(now).toISOString()), []),
    problems,
    now,
  };
}

function strayAgentOf(
  goal: GoalLayout,
  session: Gathered["session"],
  coordinator: Holder,
  processes: Pick<Processes, "liveness">,
): number | null {
  const { liveness } = coordinator;
  if (session?.task?.kind !== "workflow" || liveness === "alive" || liveness === "unknown")
    return null;
  const { directory } = goal.session(session.session_id);
  const file = readProcessFile(iterationLayout(join(directory, session.task.directory)).process);
  if (file === undefined || "withdrawn" in file) return null;
  return processes.liveness(file) === "alive" ? file.pid : null;
}
