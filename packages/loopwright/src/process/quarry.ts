import type { ProcessIdentity } from "@loopwright/protocol";
import type { Clock } from "../seams/clock.ts";
import { type AttemptScope, findMembers } from "./members.ts";
import type { ProcessInfo, Processes } from "./processes.ts";

/** Everything of an attempt that was seen since its end began. Grows with each look, so that none is forgotten. */
export interface Quarry {
  /** Reads the process table; `true` if something lives that wasn't known. */
  look(): boolean;
  alive(): ProcessInfo[];
  dead(): ProcessInfo[];
  identity(row: ProcessInfo): ProcessIdentity;
  /** Waits until a look finds nothing, at most `patience` monotonic milliseconds; an abort ends the waiting. */
  settle(patience: number, signal?: AbortSignal): Promise<void>;
}

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

export function createQuarry(
  request: AttemptScope & { processes: Processes; clock: Clock },
): Quarry {
  const { processes, clock } = request;
  const machine = processes.self();
  const seen = new Map<string, ProcessInfo>();

  const identity = ({ pid, start_time }: ProcessInfo): ProcessIdentity => ({
    ...machine,
    pid,
    start_time,
  });
  const lives = (row: ProcessInfo): boolean => processes.liveness(identity(row)) !== "dead";
  const alive = (): ProcessInfo[] => [...seen.values()].filter(lives);

  const look = (): boolean => {
    const before = seen.size;
    for (const row of findMembers(processes, request, alive().map(identity)).ours) {
      const key = `${row.pid} ${row.start_time}`;
      if (!seen.has(key)) seen.set(key, row);
    }
    return seen.size > before;
  };

  return {
    look,
    alive,
    dead: () => [...seen.values()].filter((row) => !lives(row)),
    identity,
    async settle(patience, signal) {
      const deadline = clock.monotonic() + patience;
      let pause = FIRST_PAUSE_MS;
      while (alive().length > 0 || look()) {
        if (signal?.aborted || clock.monotonic() >= deadline) return;
        await clock.sleep(pause, signal);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
    },
  };
}
