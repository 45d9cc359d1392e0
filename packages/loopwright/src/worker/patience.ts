import { readFileSync } from "node:fs";
import {
  LoopwrightError,
  sessionStatus,
  type SessionStatus,
  stopReason,
  type StopReason,
} from "@loopwright/protocol";
import { z } from "zod";
import type { Processes } from "../process/processes.ts";
import type { Clock } from "../seams/clock.ts";
import { goalLayout } from "../store/layout.ts";
import { readLock } from "../store/lock.ts";
import { readJsonIfPresent } from "../store/read.ts";
import { sessionLayout } from "../store/session-layout.ts";
import { goalDirectoryOf } from "./session-place.ts";

export type PatienceVerdict =
  | { readonly kind: "wait" }
  | { readonly kind: "gave_up" }
  | {
      readonly kind: "stopped";
      readonly status: SessionStatus;
      readonly stop_reason: StopReason | null;
    };

/** Whether a worker that can't reach its coordinator goes on trying. */
export interface Patience {
  /** Asked after each failure. */
  verdict(): PatienceVerdict;
  /** The coordinator answered. */
  restored(): void;
}

const DEFAULT_PATIENCE_MS = 600_000;

export interface PatienceSeams {
  readonly clock: Clock;
  readonly processes: Processes;
}

/**
 * Until the session is terminal, or nobody has held the goal's lock for `worker_patience` (monotonic). Without a session
 * directory in sight only the time since the last answer counts.
 */
export function createPatience(
  { clock, processes }: PatienceSeams,
  sessionDirectory: string | undefined,
): Patience {
  let abandonedSince: number | null = null;
  let limit: number | undefined;
  return {
    restored() {
      abandonedSince = null;
    },
    verdict() {
      if (sessionDirectory !== undefined) {
        if (isHeld(sessionDirectory, processes)) {
          abandonedSince = null;
          return { kind: "wait" };
        }
        const ended = endOf(sessionDirectory);
        if (ended !== undefined) return ended;
      }
      const now = clock.monotonic();
      abandonedSince ??= now;
      limit ??= patienceOf(sessionDirectory);
      return now - abandonedSince > limit ? { kind: "gave_up" } : { kind: "wait" };
    },
  };
}

/** A lock that can't be read is not a free one. */
function isHeld(sessionDirectory: string, processes: Processes): boolean {
  try {
    const lock = readLock(goalLayout(goalDirectoryOf(sessionDirectory)).lock);
    return lock !== undefined && !lock.released && processes.liveness(lock.file.holder) !== "dead";
  } catch (error) {
    if (error instanceof LoopwrightError) return true;
    throw error;
  }
}

const stateFile = z.object({
  status: sessionStatus,
  stop_reason: stopReason.nullable().default(null),
});

/** `state.json` is only a projection, but nobody holds the session: it won't become another one by itself. */
function endOf(
  sessionDirectory: string,
): Extract<PatienceVerdict, { kind: "stopped" }> | undefined {
  try {
    const state = readJsonIfPresent(sessionLayout(sessionDirectory).state, stateFile);
    return state === undefined || state.status === "running"
      ? undefined
      : { kind: "stopped", ...state };
  } catch {
    return undefined;
  }
}

function patienceOf(sessionDirectory: string | undefined): number {
  if (sessionDirectory === undefined) return DEFAULT_PATIENCE_MS;
  try {
    const session: unknown = JSON.parse(
      readFileSync(sessionLayout(sessionDirectory).session, "utf8"),
    );
    return z.object({ configuration: z.object({ worker_patience: z.number() }) }).parse(session)
      .configuration.worker_patience;
  } catch {
    return DEFAULT_PATIENCE_MS;
  }
}
