import { accountOf } from "../../agents/account.ts";
import { LoopwrightError } from "@loopwright/protocol";
import {
  type Coordinator,
  type CoordinatorOptions,
  startCoordinator,
} from "../../coordinator/coordinator.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { type CoordinatorOrder, readOrder, tellParent } from "../run/orders.ts";
import type { OpenOptions } from "../run/open-goal.ts";
import { VERSION } from "../version.ts";

interface CoordinatorCommandOptions extends OpenOptions {
  readonly host: string;
  readonly port?: number;
  readonly ordered?: boolean;
}

export async function run(context: Context, invocation: Invocation): Promise<number> {
  const options = invocation.options as unknown as CoordinatorCommandOptions;
  return options.ordered === true ? await runOrdered(context) : await runAlone(context, options);
}

/** Started by `run`, which says what to open. */
async function runOrdered({ seams, environment }: Context): Promise<number> {
  const order = await readOrder<CoordinatorOrder>();
  if (order === undefined) return 0;
  try {
    const coordinator = await startCoordinator({
      seams,
      ...order,
      version: VERSION,
      accountOf: (settings) => accountOf(settings, environment),
      onProblem: printProblem,
    });
    tellParent({ type: "serving", sessionId: coordinator.sessionId, url: coordinator.url });
    return await serve(coordinator);
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    const { code, message, hint } = error;
    tellParent({ type: "refused", code, message, hint });
    return error.exitCode;
  }
}

async function runAlone(context: Context, options: CoordinatorCommandOptions): Promise<number> {
  const { output, seams } = context;
  const [{ openGoal }, { findGoal }] = await Promise.all([
    import("../run/open-goal.ts"),
    import("../target.ts"),
  ]);
  const target = findGoal(context);
  const { choice, opening } = await openGoal(context, target, {
    ...options,
    staysPaused: true,
  });
  if (opening === undefined) {
    throw new LoopwrightError(
      "LOCK_HELD",
      `Goal ${JSON.stringify(target.goal.id)} already has a coordinator`,
      {
        hint: "Look at it with: loopwright status",
      },
    );
  }
  if (choice.kind !== "attach" && choice.say !== undefined) output.line(choice.say);
  const at: Pick<CoordinatorOptions, "host" | "port"> = {
    host: options.host,
    port: options.port ?? 0,
  };
  const coordinator = await startCoordinator({
    seams,
    runtimeRoot: target.runtimeRoot,
    goalId: target.goal.id,
    open: opening,
    ...at,
    version: VERSION,
    accountOf: (settings) => accountOf(settings, context.environment),
    onProblem: printProblem,
  });
  output.line(
    `Session ${coordinator.sessionId} is served at ${coordinator.url}; a worker joins with: loopwright worker`,
  );
  output.document({ session_id: coordinator.sessionId, url: coordinator.url });
  return await serve(coordinator);
}

/** Until the session is terminal and its worker knows, another coordinator took over, or somebody ends us. */
async function serve(coordinator: Coordinator): Promise<number> {
  const told = new Promise<"told">((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
      process.on(signal, () => resolve("told"));
  });
  const end = await Promise.race([coordinator.ended, told]);
  // Also when it is lost: what it still listens with would keep this process alive.
  await coordinator.close();
  if (end !== "told" && "lost" in end) throw end.error;
  return 0;
}

function printProblem(text: string): void {
  process.stderr.write(`${text}\n`);
}
