import { nextActionProjectionWarning } from "@loopwright/engine";
import { type DriftWarning, LoopwrightError } from "@loopwright/protocol";
import { isForeignRegistry } from "../../control-plane/foreign-registry.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { warningLines } from "../output/warning-lines.ts";
import { findGoal, type GoalTarget } from "../target.ts";

interface DriftFlags {
  readonly nextAction?: string;
  readonly recommendedAction?: string;
}

/** Compares two texts, or everything of a goal that should agree. */
export async function run(context: Context, { args, options }: Invocation): Promise<number> {
  const { output } = context;
  const { nextAction, recommendedAction } = options as DriftFlags;
  const named = args[0] as string | undefined;
  if (nextAction !== undefined || recommendedAction !== undefined) {
    if (nextAction === undefined || recommendedAction === undefined || named !== undefined) {
      throw new LoopwrightError(
        "USAGE",
        "Give both --next-action and --recommended-action, or a goal",
      );
    }
    const warning = nextActionProjectionWarning({
      activeStateNextAction: nextAction,
      latestRunRecommendedAction: recommendedAction,
    });
    output.document({ aligned: warning === null, warning });
    if (warning === null) output.line("They agree.");
    else for (const line of warningLines(output, [warning])) output.line(line);
    return 0;
  }
  const target = findGoal(context, named);
  const warnings = await driftOf(context, target);
  const settled = warnings.every(({ severity }) => severity === "info");
  output.document({ goal_id: target.goal.id, aligned: settled, warnings });
  if (warnings.length === 0) output.line(`${target.goal.id}: everything agrees`);
  for (const line of warningLines(output, warnings)) output.line(line);
  return 0;
}

async function driftOf(context: Context, target: GoalTarget): Promise<readonly DriftWarning[]> {
  const { registryPath, runtimeRoot, goal } = target;
  if (!isForeignRegistry(registryPath)) {
    const { goalDrift } = await import("../../control-plane/drift/goal-drift.ts");
    return goalDrift(runtimeRoot, goal.id, context.seams);
  }
  const { readLoopxGoal } = await import("../../control-plane/loopx/read-loopx-goal.ts");
  const { drift } = readLoopxGoal(registryPath, runtimeRoot, goal, context.home);
  return drift === null ? [] : [drift];
}
