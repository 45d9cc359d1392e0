import { LoopwrightError, type ProcessIdentity, type ProcessRecord } from "@loopwright/protocol";
import { awaitExit } from "../process/adopt.ts";
import type { StartProblem } from "../process/order.ts";
import type { Processes } from "../process/processes.ts";
import type { Clock } from "../seams/clock.ts";

/** How a started agent ended, as far as anybody could say. */
export interface AgentEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Nobody wrote down how it ended. */
  readonly lost?: true;
  /** It turned out that its program never ran. */
  readonly problem?: { readonly kind: StartProblem; readonly reason: string };
}

/** A started agent, ours or an adopted one. */
export interface RunningAgent {
  /** Absent where it died before it could say who it was. */
  readonly shim?: ProcessIdentity;
  /** Never rejects. Pending as long as it runs, or may run. */
  readonly exited: Promise<AgentEnd>;
  /** We saw its shim alive ourselves. */
  readonly seenAlive: boolean;
}

/** Between two looks at something that may or may not run. Monotonic milliseconds. */
const UNKNOWN_PAUSE_MS = 1_000;

/** The agent of a worker that died. An abort of `signal` ends the waiting: the promise then stays pending. */
export function adoptRunning(
  record: ProcessRecord,
  exitPath: string,
  seams: { readonly processes: Processes; readonly clock: Clock; readonly signal: AbortSignal },
): RunningAgent {
  return { shim: record, exited: adoptedEnd(record, exitPath, seams), seenAlive: false };
}

async function adoptedEnd(
  record: ProcessRecord,
  exitPath: string,
  seams: { readonly processes: Processes; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<AgentEnd> {
  const { clock, signal } = seams;
  try {
    while (!signal.aborted) {
      const state = await awaitExit({ ...seams, record, exitPath });
      if (state.state === "gone") return { code: null, signal: null, lost: true };
      if (state.state === "exited") {
        const { code, signal: by, problem, error = "" } = state.exit;
        return {
          code,
          signal: by,
          ...(problem === undefined ? {} : { problem: { kind: problem, reason: error } }),
        };
      }
      await clock.sleep(UNKNOWN_PAUSE_MS, signal);
    }
  } catch (error) {
    // Somebody wrote something else at the place of exit.json: the sweep ends what runs, and the end stays unknown.
    if (error instanceof LoopwrightError) return { code: null, signal: null, lost: true };
    throw error;
  }
  return new Promise(() => {});
}
