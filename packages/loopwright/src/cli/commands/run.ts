import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { runGoal } from "../run/run-goal.ts";

export async function run(context: Context, { options }: Invocation): Promise<number> {
  return await runGoal(context, options);
}
