import type { State } from "@loopwright/engine";
import type { Raise } from "../../coordinator/limits.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Raise as Amount } from "../catalogue/numbers.ts";
import type { Context } from "../context.ts";
import { openSession } from "../open-session.ts";
import { findCoordinator } from "../people-client.ts";
import { reload } from "../reload/reload.ts";
import { runGoal } from "../run/run-goal.ts";
import { findGoal } from "../target.ts";

interface ResumeOptions {
  readonly maxIterations?: Amount;
  readonly maxCostUsd?: Amount;
  readonly maxTokens?: Amount;
  /** Milliseconds. */
  readonly maxWallClock?: Amount;
  readonly takeOver?: boolean;
  readonly reload?: boolean;
  readonly yes?: boolean;
}

/** With a living coordinator the pause is lifted there; otherwise the session is opened again and run. */
export async function run(context: Context, { options }: Invocation): Promise<number> {
  const {
    takeOver = false,
    reload: reloads = false,
    yes = false,
    ...amounts
  } = options as ResumeOptions;
  const target = findGoal(context);
  const opened = openSession(target, "latest");
  const raise = raisesOf(amounts);
  if (reloads && !(await reload(context, target, opened, { yes }))) return 1;
  warnOfNoLimit(context, reloads ? openSession(target, opened.id).state : opened.state, raise);
  const client = findCoordinator(context.seams, target.goal.id, opened.layout);
  if (client === undefined || opened.state.status !== "running") {
    return await runGoal(context, { resume: true, raise, takeOver });
  }
  const { seq } = await client.post("resume", { raise, by: "user" });
  context.output.line(`Session ${opened.id} goes on; it is served at ${client.url}.`);
  context.output.document({ session_id: opened.id, seq });
  return 0;
}

function raisesOf(options: ResumeOptions): Raise[] {
  const amounts = {
    max_iterations: options.maxIterations,
    max_cost_usd: options.maxCostUsd,
    max_tokens: options.maxTokens,
    max_wall_clock_ms: options.maxWallClock,
  } as const;
  const limits = Object.keys(amounts) as (keyof typeof amounts)[];
  return limits.flatMap((limit) => {
    const amount = amounts[limit];
    return amount === undefined ? [] : [{ limit, ...amount }];
  });
}

function warnOfNoLimit({ output }: Context, { limits }: State, raises: readonly Raise[]): void {
  for (const { limit, add } of raises) {
    if (add !== undefined && limits[limit] === null)
      output.warn(`${limit} is not limited, so nothing is added to it`);
  }
}
