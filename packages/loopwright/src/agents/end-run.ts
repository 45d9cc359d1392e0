import type { Leftover } from "@loopwright/protocol";
import { stopAttempt, type StopRequest } from "../process/stop-ladder.ts";
import { sweepAttempt } from "../process/sweep.ts";
import type { AgentEnd, RunningAgent } from "./running.ts";
import type { Watched } from "./watch-run.ts";

export type EndRequest = StopRequest & { readonly running: RunningAgent };

/** How long we try to end what won't die before we record it as a leftover that may still run. Monotonic ms. */
const PERSISTENCE_MS = 60_000;
const AGAIN_MS = 2_000;
/** For the word of a shim whose agent is dead. Monotonic ms. */
const LAST_WORD_MS = 2_000;

/** Ends everything of the attempt, whichever way it came to this. Only afterwards may an outcome be recorded. */
export async function endRun(
  watched: Exclude<Watched, { detached: true }>,
  request: EndRequest,
): Promise<{ readonly end: AgentEnd; readonly leftovers: Leftover[] }> {
  if ("end" in watched) {
    const { grace: _, ...scope } = request;
    return { end: watched.end, leftovers: await sweepAttempt(scope) };
  }
  const { clock } = request;
  const deadline = clock.monotonic() + PERSISTENCE_MS;
  let { survivors } = await stopAttempt(request);
  while (survivors.length > 0 && clock.monotonic() < deadline) {
    await clock.sleep(AGAIN_MS);
    ({ survivors } = await stopAttempt({ ...request, grace: { native: 0, term: 0 } }));
  }
  const leftovers = survivors.map(({ pid, command }) => ({
    pid,
    command,
    ports: [],
    ended: false,
  }));
  return { end: await lastWord(request), leftovers };
}

async function lastWord({ running, clock }: EndRequest): Promise<AgentEnd> {
  const timeout = new AbortController();
  const lost = clock
    .sleep(LAST_WORD_MS, timeout.signal)
    .then((): AgentEnd => ({ code: null, signal: null, lost: true }));
  const end = await Promise.race([running.exited, lost]);
  timeout.abort();
  return end;
}
