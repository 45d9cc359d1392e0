/** Limits of one agent run in milliseconds of monotonic time: a sleeping laptop uses up none of them. */
export interface RunLimits {
  readonly totalMs: number;
  /** Without a byte on stdout or stderr, once there was one. */
  readonly silenceMs: number;
  /** From the start to the first byte. */
  readonly firstByteMs: number;
  /** From the final event to the exit. */
  readonly afterFinalMs: number;
}

export interface RunTimes {
  readonly startedAt: number;
  readonly lastByteAt: number | null;
  readonly finalAt: number | null;
}

export type RunClock = "total" | "first_byte" | "silence" | "after_final";

/** The clock that has run out, if any. After the final event only that one's clock and the total count. */
export function expiredClock(limits: RunLimits, times: RunTimes, now: number): RunClock | null {
  if (now - times.startedAt >= limits.totalMs) return "total";
  if (times.finalAt !== null)
    return now - times.finalAt >= limits.afterFinalMs ? "after_final" : null;
  if (times.lastByteAt === null)
    return now - times.startedAt >= limits.firstByteMs ? "first_byte" : null;
  return now - times.lastByteAt >= limits.silenceMs ? "silence" : null;
}
