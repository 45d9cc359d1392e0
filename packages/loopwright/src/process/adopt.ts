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
  const exit = readExitFile(exitPath);
  if (exit !== undefined) return { state: "exited", exit };
  const shim = processes.liveness(record);
  if (shim === "unknown") return { state: "unknown" };
  const { ours, unverified } = findMembers(processes, { marker: record.attempt_id, shim: record });
  const pids = ours.map((row) => row.pid);
  if (shim === "alive") return { state: "running", supervised: true, pids: [record.pid, ...pids] };

  // The shim may have written exit.json and ended since we looked for the file.
  const late = readExitFile(exitPath);
  if (late !== undefined) return { state: "exited", exit: late };
  if (pids.length > 0) return { state: "running", supervised: false, pids };
  return { state: unverified.length > 0 ? "unknown" : "gone" };
}

/** Looks again every this many monotonic milliseconds: `exit.json` of an attempt that isn't our child. */
const LOOK_AGAIN_MS = 100;

/** Waits while the attempt runs. An abort ends the waiting, not the attempt: the answer is then `running`. */
export async function awaitExit(
  seams: AdoptionSeams & { readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<AttemptState> {
  const { processes, record, exitPath, clock, signal } = seams;
  for (;;) {
    const state = inspectAttempt(seams);
    if (state.state !== "running" || signal?.aborted) return state;
    // While its shim lives, exit.json is sure to come: no need to read the whole process table each time.
    let supervised = true;
    while (supervised) {
      await clock.sleep(LOOK_AGAIN_MS, signal);
      const goesOn = processes.liveness(record) === "alive" && readExitFile(exitPath) === undefined;
      supervised = goesOn && signal?.aborted !== true;
    }
  }
}
