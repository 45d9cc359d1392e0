import { existsSync } from "node:fs";
import { LoopwrightError } from "@loopwright/protocol";
import { latestArchiveOf } from "../control-plane/archive/index.ts";
import { readActivation } from "../control-plane/goal-activation.ts";
import { runtimeLayout } from "../store/layout.ts";
import type { GoalTarget } from "./target.ts";

/** A goal as it is registered, with whether it may run. */
export interface GoalDescription {
  readonly id: string;
  readonly title: string;
  readonly repository: string;
  readonly repository_exists: boolean;
  readonly config: string;
  readonly directory: string;
  readonly activation: {
    readonly state: "active" | "disabled" | "archived" | "unreadable";
    readonly reason: string;
    readonly updated_at: string | null;
  };
  /** Where it is archived. */
  readonly archive_path: string | null;
}

export function describeGoal({
  goal,
  repository,
  layout,
  runtimeRoot,
}: GoalTarget): GoalDescription {
  const here = existsSync(layout.directory);
  const archive = here ? undefined : latestArchiveOf(runtimeLayout(runtimeRoot), goal.id);
  return {
    id: goal.id,
    title: goal.title,
    repository,
    repository_exists: existsSync(repository),
    config: goal.config,
    directory: layout.directory,
    activation:
      archive === undefined
        ? activationOf(layout)
        : { state: "archived", reason: "", updated_at: archive.at },
    archive_path: archive?.path ?? null,
  };
}

/** One goal whose record can't be read doesn't hide the others. */
function activationOf(layout: GoalTarget["layout"]): GoalDescription["activation"] {
  try {
    return readActivation(layout) ?? { state: "active", reason: "", updated_at: null };
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    return { state: "unreadable", reason: error.message, updated_at: null };
  }
}
