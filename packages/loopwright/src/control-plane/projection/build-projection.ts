import type { Projection } from "@loopwright/protocol";
import { attentionOf, driftAttention, type Unnamed } from "./attention.ts";
import type { Gathered } from "./gather.ts";
import type { World } from "./look-around.ts";
import { phaseOf } from "./phase.ts";
import { named, rankAttention } from "./rank-attention.ts";

/** One goal's read model, from what files, git and processes say. Pure. */
export function buildProjection(goalId: string, gathered: Gathered, world: World): Projection {
  const { session, latest_run: run } = gathered;
  const at = new Date(world.now).toISOString();
  const problems = [...gathered.problems, ...world.problems];
  const phase =
    session === null
      ? null
      : phaseOf(session, {
          coordinator: world.coordinator.liveness,
          worker: world.worker,
          now: world.now,
        });
  const { strayAgent, coordinator } = world;
  const unnamed = [
    ...world.dormant,
    ...problems.map((problem) => unreadable(goalId, problem, at)),
    ...driftAttention(goalId, gathered.warnings, run?.generated_at ?? session?.updated_at ?? at),
  ];
  const attention = [
    ...named(unnamed),
    ...(session === null || phase === null
      ? []
      : attentionOf({ goalId, session, phase, coordinator, strayAgent })),
  ];
  return {
    schema_version: 1,
    goal_id: goalId,
    generated_at: at,
    phase,
    coordinator,
    activation: gathered.activation,
    sessions: gathered.sessions,
    session,
    active_state: gathered.active_state,
    latest_run: run,
    recommending_run: gathered.recommending_run,
    checkout: gathered.checkout,
    recommended_action: recommendation(gathered),
    warnings: gathered.warnings,
    attention: rankAttention(attention),
    problems,
    derived_from: gathered.derived_from,
  };
}

/** The newest run's, else that of the newest iteration's report. */
function recommendation({ latest_run: run, session }: Gathered): Projection["recommended_action"] {
  const last = session?.last ?? null;
  if (run?.recommended_action !== undefined && (last === null || run.generated_at >= last.at)) {
    const { recommended_action: text, recommended_action_source: source, generated_at: at } = run;
    return { text, source, at };
  }
  if (last?.recommended_action == null) return null;
  return { text: last.recommended_action, source: "report", at: last.at };
}

function unreadable(
  goalId: string,
  { code, message }: Projection["problems"][number],
  since: string,
): Unnamed {
  return {
    goal_id: goalId,
    waiting_on: "you",
    severity: "high",
    kind: code.toLowerCase(),
    since,
    text: message,
    blocks: true,
    next_command: "loopwright doctor",
  };
}
