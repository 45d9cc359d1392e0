import { existsSync } from "node:fs";
import { refuseArchived } from "../control-plane/archive/index.ts";
import { refuseForeign } from "../control-plane/foreign-registry.ts";
import { setActivation } from "../control-plane/goal-activation.ts";
import { runtimeLayout } from "../store/layout.ts";
import type { Invocation } from "./catalogue/dispatch.ts";
import type { Context } from "./context.ts";
import { findGoal } from "./target.ts";

/** What `goal disable` and `goal enable` do. */
export async function activate(
  context: Context,
  { args, options }: Invocation,
  state: "active" | "disabled",
): Promise<number> {
  const { goal, layout, registryPath, runtimeRoot } = findGoal(context, args[0] as string);
  refuseForeign(registryPath);
  if (!existsSync(layout.goalJson)) refuseArchived(runtimeLayout(runtimeRoot), goal.id);
  const { reason = "" } = options as { reason?: string };
  const activation = await setActivation(context.seams, layout, goal.id, { state, reason });
  context.output.document({ goal_id: goal.id, activation });
  context.output.line(
    state === "disabled"
      ? `Goal ${goal.id} is disabled: nothing of it is started. What runs goes on; end it with: loopwright stop --goal ${goal.id}`
      : `Goal ${goal.id} is active.`,
  );
  return 0;
}
