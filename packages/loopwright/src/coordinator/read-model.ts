import { stateFileOf, waiting } from "@loopwright/engine";
import { goalFile } from "@loopwright/protocol";
import { attentionOf } from "../read-api/attention.ts";
import { goalStatusOf } from "../read-api/goal-status.ts";
import { type ReadModel, sessionSummary, type SessionView } from "../read-api/model.ts";
import { phaseOf } from "../read-api/phase.ts";
import { isSeatDead } from "./recoverer.ts";
import { timestamp } from "../seams/clock.ts";
import { readJsonIfPresent } from "../store/read.ts";
import type { Assembly } from "./assemble.ts";

/** What this coordinator's readers see: memory, which stands where the journal stands. */
export function readModelOf(assembly: Assembly): ReadModel {
  const { seams, service, file, goal, runtimeRoot } = assembly;
  const registry = registryOf(goal.goalJson);
  const view = (): SessionView => {
    const state = service.state();
    const shown = stateFileOf(state);
    return {
      schema_version: 1,
      phase: phaseOf(state, {
        coordinated: true,
        worked: state.task === null || !isSeatDead(seams, service),
        recovering: assembly.recoverer.isBusy(),
        waiting: waiting(state, service.facts())?.for ?? null,
      }),
      state: shown,
      session: sessionSummary(file),
      attention: attentionOf(shown, assembly.recoverer.troubles()),
    };
  };
  return {
    status() {
      const { state, phase, attention } = view();
      return {
        schema_version: 1,
        generated_at: timestamp(seams.clock),
        registry,
        runtime_root: runtimeRoot,
        goals: [goalStatusOf({ id: file.goal_id, title: file.title }, { state, phase, attention })],
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
