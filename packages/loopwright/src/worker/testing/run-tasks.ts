import { type Result, result, type WorkflowTask } from "@loopwright/protocol";
import { runWorker, type WorkerOptions } from "../worker.ts";
import { startDouble } from "./coordinator-double.ts";
import { SEAMS, STOP, type WorkPlace } from "./work-place.ts";

/** Runs these tasks one after the other, as a coordinator would have it, and returns what the worker reported. */
export async function runTasks(
  place: WorkPlace,
  tasks: readonly WorkflowTask[],
  options: Partial<WorkerOptions> = {},
): Promise<Result[]> {
  const double = await startDouble((_, count) => tasks[count - 1] ?? STOP);
  try {
    await runWorker({
      seams: SEAMS,
      url: double.url,
      token: "t".repeat(32),
      checkout: place.checkout,
      version: "0.1.0",
      grace: { native: 200, term: 200 },
      ...options,
    });
    return double.received.slice(1).map(({ body }) => result.parse(body));
  } finally {
    await double.close();
  }
}

export async function runTask(
  place: WorkPlace,
  task: WorkflowTask,
  options: Partial<WorkerOptions> = {},
): Promise<Result> {
  const [found] = await runTasks(place, [task], options);
  if (found === undefined) throw new Error("nothing was reported");
  return found;
}
