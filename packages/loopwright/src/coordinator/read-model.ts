import { stateFileOf } from "@loopwright/engine";
import { goalFile } from "@loopwright/protocol";
import { attentionOf, phaseOf } from "../control-plane/projection/index.ts";
import { goalStatusOf } from "../read-api/goal-status.ts";
import { type OwnView, sessionSummary, type SessionView } from "../read-api/model.ts";
import { timestamp } from "../seams/clock.ts";
import { readJsonIfPresent } from "../store/read.ts";
import type { Assembly } from "./assemble.ts";

/** What this coordinator's readers see: memory, which stands where the journal stands. */
export function readModelOf(assembly: Assembly): OwnView {
  const { seams, service, file, goal, runtimeRoot, projection } = assembly;
  const registry = registryOf(goal.goalJson);
  const view = (): SessionView => {
    const session = projection.session();
    const world = projection.world();
    const phase = phaseOf(session, {
      coordinator: world.coordinator.liveness,
      worker: world.worker,
      now: world.now,
    });
    return {
      schema_version: 1,
      phase,
      state: stateFileOf(service.state()),
      session: sessionSummary(file),
      attention: attentionOf({ goalId: file.goal_id, session, phase, ...world }),
    };
  };
  return {
    status() {
      const { session, phase, active_state, attention, warnings } = projection.current();
      const goalStatus = goalStatusOf({
        id: file.goal_id,
        title: file.title,
        session,
        phase,
        nextAction: active_state?.next_action ?? null,
        attention,
        warnings,
      });
      return {
        schema_version: 1,
        generated_at: timestamp(seams.clock),
        registry,
        runtime_root: runtimeRoot,
        goals: [goalStatus],
      };
    },
    session: (id) => (id === file.session_id ? view() : undefined),
  };
}

function registryOf(goalJson: string): string {
  try {
    return readJsonIfPresent(goalJson, goalFile)?.registry ?? "";
  } catch {
    return "";
  }
}
