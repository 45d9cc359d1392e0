import type { ExitRecord, ProcessRecord } from "@loopwright/protocol";
import type { Clock } from "../seams/clock.ts";
import { readExitFile } from "./attempt-files.ts";
import { findMembers } from "./members.ts";
import type { Processes } from "./processes.ts";

/** What is known about an attempt from its files and the process table, by somebody who didn't start it. */
export type AttemptState =
  /** Its agent has ended and how is on record. What it left behind may still run: sweep. */
  | { readonly state: "exited"; readonly exit: ExitRecord }
  /** `supervised: false`: the shim is dead, so nobody will write down how the agent ends. */
  | { readonly state: "running"; readonly supervised: boolean; readonly pids: number[] }
  /** Nothing of it lives and nobody wrote down how it ended. */
  | { readonly state: "gone" }
  /** Another machine or pid namespace, or something that may be ours: it may run. */
  | { readonly state: "unknown" };

export interface AdoptionSeams {
  readonly processes: Processes;
  readonly record: ProcessRecord;
  readonly exitPath: string;
}

export function inspectAttempt({ processes, record, exitPath }: AdoptionSeams): AttemptState {
  const shim = processes.liveness(record);
  // A living shim writes exit.json as the last thing it does: what stands there before is somebody else's.
  const exit = shim === "alive" ? undefined : readExitFile(exitPath);
  if (exit !== undefined) return { state: "exited", exit };
  if (shim === "unknown") return { state: "unknown" };
  const { ours, unverified } = findMembers(processes, { marker: record.attempt_id, shim: record });
  const pids = ours.map((row) => row.pid);
  if (shim === "alive") return { state: "running", supervised: true, pids: [record.pid, ...pids] };
  if (pids.length > 0) return { state: "running", supervised: false, pids };
  return { state: unverified.length > 0 ? "unknown" : "gone" };
}

/** Looks again every this many monotonic milliseconds: the shim of an attempt that isn't our child. */
const LOOK_AGAIN_MS = 100;

/** Waits while the attempt runs. An abort ends the waiting, not the attempt: the answer is then `running`. */
export async function awaitExit(
  seams: AdoptionSeams & { readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<AttemptState> {
  const { processes, record, clock, signal } = seams;
  for (;;) {
    const state = inspectAttempt(seams);
    if (state.state !== "running" || signal?.aborted) return state;
    // While its shim lives, exit.json is sure to come: no need to read the whole process table each time.
    do await clock.sleep(LOOK_AGAIN_MS, signal);
    while (processes.liveness(record) === "alive" && signal?.aborted !== true);
  }
}
