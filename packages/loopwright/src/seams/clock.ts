/** Time, injected. Each limit says in its docstring which of the two clocks it counts on. */
export interface Clock {
  /** Milliseconds since the epoch. May jump. For people, never for order or limits. */
  wall(): number;
  /** Milliseconds from an arbitrary start; never goes back. */
  monotonic(): number;
  /** Resolves after `ms` of monotonic time, or at once when `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done, { once: true });
    }),
};

/** ISO-8601 UTC with milliseconds and `Z`, the one form of time in every file. */
export function timestamp(clock: Pick<Clock, "wall">): string {
  return new Date(clock.wall()).toISOString();
}
