import { join } from "node:path";
import type { State } from "@loopwright/engine";
import type { SessionPlan } from "../../coordinator/session-plan.ts";
import { pinChecksAndProtected } from "../../evaluation/pins.ts";
import { createPinStore } from "../../evaluation/pin-store.ts";
import { takeSnapshot } from "../../git/index.ts";
import { checkoutCacheOf } from "../../worker/session-place.ts";
import type { Seams } from "../context.ts";
import type { Preflight } from "../preflight/preflight.ts";
import type { GoalTarget } from "../target.ts";
import { VERSION } from "../version.ts";

/** Freezes a project that passed its preflight: checks and protected files as the work tree stands now. */
export async function planSession(
  seams: Seams,
  target: GoalTarget,
  ready: NonNullable<Preflight["ready"]>,
  earlier: State | undefined,
): Promise<SessionPlan> {
  const { project, repository } = ready;
  const { configuration } = project;
  const cache = checkoutCacheOf(join(target.layout.sessions, "new"));
  const snapshot = takeSnapshot(repository.root, { indexPath: cache });
  const pins = pinChecksAndProtected({
    checkout: repository.root,
    checksDirectory: configuration.gate.checks,
    protect: configuration.gate.protect,
    store: createPinStore(seams.disk, target.layout.pins),
  });
  const base = await snapshot;
  return {
    goalId: target.goal.id,
    goalText: project.goalText,
    title: project.title,
    repository: repository.root,
    baseCommit: repository.head,
    baseTree: "gone" in base ? null : base.tree,
    workflowSet: project.workflowSet,
    preamble: project.preamble,
    configuration,
    workflows: [...project.workflows],
    pins,
    redBefore: earlier === undefined ? [] : redChecksOf(earlier),
    programVersion: VERSION,
  };
}

/** What failed once with a hash was red; the next session of the goal need not see it fail again. */
function redChecksOf(state: State): SessionPlan["redBefore"] {
  const red = new Map(state.red_before.map((check) => [check.id, check]));
  for (const { id, sha256 } of state.rules.gate.checks) {
    const known = red.get(id);
    if (!state.red_checks.includes(id) || known?.sha256 === sha256) continue;
    red.set(id, { id, sha256, session_id: state.session_id });
  }
  return [...red.values()];
}
