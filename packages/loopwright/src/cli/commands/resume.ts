import type { Raise as Amount } from "../catalogue/numbers.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Raise } from "../../coordinator/limits.ts";
import type { Context } from "../context.ts";
import { openSession } from "../open-session.ts";
import { findCoordinator } from "../people-client.ts";
import { runGoal } from "../run/run-goal.ts";
import { findGoal } from "../target.ts";

interface ResumeOptions {
  readonly maxIterations?: Amount;
  readonly maxCostUsd?: Amount;
  readonly takeOver?: boolean;
}

/** With a living coordinator the pause is lifted there; otherwise the session is opened again and run. */
export async function run(context: Context, { options }: Invocation): Promise<number> {
  const { maxIterations, maxCostUsd, takeOver } = options as ResumeOptions;
  const raise: Raise[] = [
    ...(maxIterations === undefined
      ? []
      : [{ limit: "max_iterations" as const, ...maxIterations }]),
    ...(maxCostUsd === undefined ? [] : [{ limit: "max_cost_usd" as const, ...maxCostUsd }]),
  ];
  const target = findGoal(context);
  const opened = openSession(target, "latest");
  const client = findCoordinator(context.seams, target.goal.id, opened.layout);
  if (client === undefined || opened.state.status !== "running") {
    return await runGoal(context, {
      resume: true,
      raise,
      ...(takeOver === undefined ? {} : { takeOver }),
    });
  }
  const { seq } = await client.post("resume", { raise, by: "user" });
  context.output.line(`Session ${opened.id} goes on; it is served at ${client.url}.`);
  context.output.document({ session_id: opened.id, seq });
  return 0;
}
