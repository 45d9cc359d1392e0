import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { recoveryFile } from "@loopwright/protocol";
import type { Processes } from "../../process/processes.ts";
import type { Clock } from "../../seams/clock.ts";
import { readJournal } from "../../store/journal-reader.ts";
import { readJsonIfPresent } from "../../store/read.ts";
import type { IterationLayout } from "../../store/iteration-layout.ts";
import type { SessionLayout } from "../../store/session-layout.ts";

/** The iteration in whose middle the worker is killed: the one in which the agent takes its time. */
const ITERATION = { number: 7, workflow: "inner", says: "Working on discount" };

/**
 * Kills the worker with SIGKILL as soon as its agent is at work, or gives up when `signal` aborts.
 * @returns the process id of the killed worker
 */
export async function killWorkerInMidAgent(
  options: { clock: Clock; processes: Processes; findSession: () => SessionLayout | undefined },
  signal: AbortSignal,
): Promise<number | undefined> {
  while (!signal.aborted) {
    const session = options.findSession();
    if (session !== undefined && agentIsAtWork(iterationOf(session))) {
      const seated = readJournal(session.journal)
        .lines.flatMap(({ records }) => records)
        .findLast(({ type }) => type === "worker_seated");
      const worker = (seated?.data as { identity?: Parameters<Processes["signal"]>[0] } | undefined)
        ?.identity;
      if (worker !== undefined && options.processes.signal(worker, "SIGKILL")) return worker.pid;
    }
    await options.clock.sleep(20, signal);
  }
  return undefined;
}

/** Whether recovery handed the dead worker's agent to the next worker. */
export function wasAdopted(session: SessionLayout): boolean {
  return readJsonIfPresent(iterationOf(session).recovery, recoveryFile)?.action === "adopted";
}

export function crashedIteration(session: SessionLayout): string {
  return iterationOf(session).directory;
}

function iterationOf(session: SessionLayout): IterationLayout {
  return session.iteration(ITERATION.number, ITERATION.workflow);
}

function agentIsAtWork({ directory, stdoutRaw }: IterationLayout): boolean {
  return (
    existsSync(join(directory, "process.json")) &&
    existsSync(stdoutRaw) &&
    readFileSync(stdoutRaw, "utf8").includes(ITERATION.says)
  );
}
