import { statSync } from "node:fs";
import type { Company } from "../process/company.ts";
import type { Clock } from "../seams/clock.ts";
import type { OutputReader } from "./output-reader.ts";
import { expiredClock, type RunLimits } from "./run-clocks.ts";
import type { AgentEnd, RunningAgent } from "./running.ts";
import type { StopCause } from "./settle.ts";

export interface WatchRequest {
  readonly clock: Clock;
  readonly running: RunningAgent;
  readonly reader: OutputReader;
  readonly limits: RunLimits;
  /** Who runs with the agent; absent where the shim died before it could say who it was. */
  readonly company?: Company;
  /** Monotonic. */
  readonly startedAt: number;
  readonly checkout: string;
  /** Aborted: the coordinator wants it ended. */
  readonly cancel: AbortSignal;
  /** Aborted: we leave; the agent goes on and is adopted. */
  readonly detach: AbortSignal;
}

export type Watched =
  | { readonly end: AgentEnd }
  | { readonly stop: StopCause }
  | { readonly detached: true };

const OUTPUT_LIMIT = 2 * 1024 ** 3;
/** The first second is looked at closely: most agents of tests and demos end within it. Monotonic milliseconds. */
const SHORT_PAUSE_MS = 50;
const PAUSE_MS = 200;
/** A look costs about a millisecond for a hundred processes of the machine. Monotonic milliseconds. */
const LOOK_AROUND_MS = 400;
/** A checkout that is missing this long is gone, not just being replaced. Monotonic milliseconds. */
const GONE_AFTER_MS = 1_000;

/** Until the agent's process has ended, or there is a reason to end it. Reads its output meanwhile. */
export async function watchRun(request: WatchRequest): Promise<Watched> {
  const { clock, running, reader, startedAt, cancel, detach } = request;
  const wake = new AbortController();
  let end: AgentEnd | undefined;
  void running.exited.then((ended) => {
    end = ended;
    wake.abort();
  });
  const wakeUp = (): void => wake.abort();
  for (const signal of [cancel, detach]) signal.addEventListener("abort", wakeUp, { once: true });
  const reasonToStop = createReasons(request);
  let lookAt = clock.monotonic();
  try {
    for (;;) {
      const more = reader.pump();
      if (clock.monotonic() >= lookAt) {
        request.company?.look();
        lookAt = clock.monotonic() + LOOK_AROUND_MS;
      }
      if (detach.aborted) return { detached: true };
      if (end !== undefined) return { end };
      const stop = reasonToStop();
      if (stop !== null) return { stop };
      const pause = clock.monotonic() - startedAt < 1_000 ? SHORT_PAUSE_MS : PAUSE_MS;
      await (more
        ? new Promise((resolve) => setImmediate(resolve))
        : clock.sleep(pause, wake.signal));
    }
  } finally {
    for (const signal of [cancel, detach]) signal.removeEventListener("abort", wakeUp);
  }
}

function createReasons({
  clock,
  reader,
  limits,
  startedAt,
  checkout,
  cancel,
}: WatchRequest): () => StopCause | null {
  let missingSince: number | null = null;
  return () => {
    if (cancel.aborted) return "cancelled";
    if (reader.size() > OUTPUT_LIMIT) return "output_size";
    const now = clock.monotonic();
    missingSince = isDirectory(checkout) ? null : (missingSince ?? now);
    if (missingSince !== null && now - missingSince >= GONE_AFTER_MS) return "workspace";
    return expiredClock(
      limits,
      { startedAt, lastByteAt: reader.lastByteAt, finalAt: reader.finalAt },
      now,
    );
  };
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
