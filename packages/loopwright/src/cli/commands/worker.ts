import { readFileSync } from "node:fs";
import { endingText, ERROR_TABLE, type ErrorCode, LoopwrightError } from "@loopwright/protocol";
import { runWorker, type WorkerEnd, type WorkerEvent } from "../../worker/worker.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { readOrder, tellParent, type WorkerOrder } from "../run/orders.ts";
import { VERSION } from "../version.ts";

interface WorkerCommandOptions {
  readonly coordinator?: string;
  readonly session: string;
  readonly takeOver?: boolean;
  readonly ordered?: boolean;
}

export async function run(context: Context, invocation: Invocation): Promise<number> {
  const options = invocation.options as unknown as WorkerCommandOptions;
  return options.ordered === true ? await runOrdered(context) : await runAlone(context, options);
}

/** Started by `run`, which says where the session is. */
async function runOrdered(context: Context): Promise<number> {
  const order = await readOrder<WorkerOrder>();
  if (order === undefined) return 0;
  const end = await work(context, order, (event) => {
    if (event.type === "trouble") tellParent({ type: "trouble", message: event.message });
  });
  if (end.ended === "stopped") tellParent({ type: "stopped" });
  if (end.ended === "refused") {
    const { code, detail, hint } = end.problem;
    tellParent({ type: "refused", code, message: detail, hint });
  }
  return exitCodeOf(end);
}

async function runAlone(context: Context, options: WorkerCommandOptions): Promise<number> {
  const { output } = context;
  const end = await work(
    context,
    { ...(await placeOf(context, options)), takeOver: options.takeOver ?? false },
    (event) => {
      if (event.type === "trouble") output.warn(event.message);
      else if (event.type === "task_started") output.progress(`${nameOf(event)} starts`);
      else output.progress(`${nameOf(event)} ended: ${event.outcome}`);
    },
  );
  if (end.ended === "refused") {
    const { code, detail, hint } = end.problem;
    throw new LoopwrightError(
      code in ERROR_TABLE ? (code as ErrorCode) : "COORDINATOR_UNREACHABLE",
      detail,
      hint === undefined ? {} : { hint },
    );
  }
  if (end.ended === "stopped")
    output.line(`The session is ${endingText(end.status, end.stop_reason)}.`);
  output.document(end);
  return exitCodeOf(end);
}

type Place = { readonly checkout: string } & (
  | { readonly sessionDirectory: string }
  | { readonly url: string; readonly token: string }
);

async function placeOf(context: Context, options: WorkerCommandOptions): Promise<Place> {
  if (options.coordinator !== undefined) {
    const token = process.stdin.isTTY ? "" : readFileSync(0, "utf8").trim();
    if (token !== "") return { url: options.coordinator, token, checkout: context.cwd };
    throw new LoopwrightError("USAGE", "--coordinator needs the worker's token on stdin", {
      hint: "It stands in the session's coordinator.json as worker_token.",
    });
  }
  const [{ findGoal }, { openSession }] = await Promise.all([
    import("../target.ts"),
    import("../open-session.ts"),
  ]);
  const opened = openSession(findGoal(context), options.session);
  return { sessionDirectory: opened.layout.directory, checkout: opened.session.repository };
}

/** A signal ends us at once; a running agent goes on and is taken up by the next worker. */
function work(
  context: Context,
  place: Place & { readonly takeOver: boolean },
  onEvent: (event: WorkerEvent) => void,
): Promise<WorkerEnd> {
  const leave = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => leave.abort());
  const { seams, environment } = context;
  return runWorker({
    seams,
    environment,
    version: VERSION,
    signal: leave.signal,
    onEvent,
    ...place,
  });
}

function exitCodeOf(end: WorkerEnd): number {
  return { stopped: 0, refused: 3, gave_up: 1 }[end.ended];
}

function nameOf({ task }: Extract<WorkerEvent, { type: "task_started" | "task_ended" }>): string {
  return task.kind === "workflow"
    ? `iteration ${task.iteration} (${task.workflow_id})`
    : `verification (${task.verification})`;
}
