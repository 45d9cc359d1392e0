import { existsSync, readFileSync, statSync } from "node:fs";
import {
  type JournalLine,
  LoopwrightError,
  type SessionStatus,
  type StopReason,
} from "@loopwright/protocol";
import { z } from "zod";
import type { Processes } from "../process/processes.ts";
import type { Clock } from "../seams/clock.ts";
import { readJournal } from "../store/journal-reader.ts";
import { goalLayout } from "../store/layout.ts";
import { readLock } from "../store/lock.ts";
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
  /** The coordinator answered. `session`: the session's directory, which a worker that was given a URL doesn't know. */
  restored(session?: string): void;
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
  given: string | undefined,
): Patience {
  let sessionDirectory = given;
  let abandonedSince: number | null = null;
  let limit: number | undefined;
  let look: Look | undefined;
  return {
    restored(session) {
      abandonedSince = null;
      // On another machine it isn't there.
      if (sessionDirectory === undefined && session !== undefined)
        sessionDirectory = existsSync(sessionLayout(session).journal) ? session : undefined;
    },
    verdict() {
      if (sessionDirectory !== undefined) {
        if (isHeld(sessionDirectory, processes)) {
          abandonedSince = null;
          return { kind: "wait" };
        }
        look = lookAtEnd(sessionDirectory, look);
        if (look.ended !== undefined) return look.ended;
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

/** The journal's size at the last look, and how the session stood then. */
interface Look {
  readonly size: number;
  readonly ended: Extract<PatienceVerdict, { kind: "stopped" }> | undefined;
}

/**
 * Whether the session is over, from the journal: a coordinator that died right after it had decided so has written
 * nothing else. Nobody holds the session, so it won't become another one by itself; read again when it has grown.
 */
function lookAtEnd(sessionDirectory: string, known: Look | undefined): Look {
  const { journal } = sessionLayout(sessionDirectory);
  const size = statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
  if (known !== undefined && known.size === size) return known;
  try {
    return { size, ended: endOf(readJournal(journal).lines as unknown as JournalLine[]) };
  } catch (error) {
    if (error instanceof LoopwrightError) return { size, ended: undefined };
    throw error;
  }
}

function endOf(lines: readonly JournalLine[]): Look["ended"] {
  let ended: Look["ended"];
  for (const { type, data } of lines.flatMap(({ records }) => records)) {
    if (type === "session_stopped") ended = { kind: "stopped", ...data };
    if (type === "session_reopened") ended = undefined;
  }
  return ended === undefined
    ? undefined
    : { kind: "stopped", status: ended.status, stop_reason: ended.stop_reason };
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
