import type { ProjectedSession, Projection } from "@loopwright/protocol";
import {
  buildProjection,
  gather,
  type Gathered,
  projectSession,
  type World,
  writeProjection,
} from "../control-plane/projection/index.ts";
import type { LoadedSession } from "./load-session.ts";
import type { Recoverer } from "./recoverer.ts";
import type { Seams } from "./seams.ts";
import type { Service } from "./service.ts";
import type { GoalLayout } from "../store/layout.ts";

/** The goal's read model, from memory where its journal would be read and from files otherwise. */
export interface GoalProjection {
  /** Of the session that this coordinator runs. */
  session(): ProjectedSession;
  world(): World;
  current(): Projection;
  /** Replaces `projections/<goal-id>.json`. Throws what the disk says. */
  write(): void;
}

export interface GoalProjectionParts {
  readonly seams: Seams;
  readonly runtimeRoot: string;
  readonly goal: GoalLayout;
  readonly session: LoadedSession;
  readonly service: Service;
  readonly recoverer: Recoverer;
}

export function createGoalProjection(parts: GoalProjectionParts): GoalProjection {
  const { seams, runtimeRoot, goal, service, recoverer } = parts;
  const { file, journal, memory } = parts.session;
  let known: Gathered | undefined;

  const session = (): ProjectedSession =>
    projectSession({
      state: service.state(),
      file,
      notes: memory.notes,
      facts: service.facts(),
      troubles: recoverer.troubles(),
    });

  const world = (): World => {
    const { seat } = service.state();
    const { pid, host } = seams.processes.self();
    return {
      coordinator: { liveness: "alive", pid, host },
      worker: seat === null ? "none" : seams.processes.liveness(seat),
      strayAgent: null,
      dormant: [],
      problems: [],
      now: seams.clock.wall(),
    };
  };

  const current = (): Projection => {
    const own = { session: session(), sum: journal.tip.sum, end: journal.end };
    known = gather(goal, { goalId: file.goal_id, known, own, now: seams.clock.wall() });
    return buildProjection(file.goal_id, known, world());
  };

  return {
    session,
    world,
    current,
    write: () => writeProjection(seams.disk, runtimeRoot, current()),
  };
}
