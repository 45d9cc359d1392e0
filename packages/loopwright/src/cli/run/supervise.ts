import type { State } from "@loopwright/engine";
import type { JournalRecord } from "@loopwright/protocol";
import { DAMAGE_PATIENCE_MS, followJournal, isDamage } from "../follow-journal.ts";
import { type OpenedSession, openSession } from "../open-session.ts";
import { pauseAdvice, showLine } from "./live-view.ts";
import { keepCrew, type Supervised } from "./keep-crew.ts";

/** Monotonic milliseconds. */
const LOOK_AGAIN_MS = 200;

/**
 * Keeps a coordinator and a worker going until the session is terminal, telling what happens. One that is gone is
 * started again, whoever had started it: that is what makes an unattended night survive a crash. Throws when one keeps
 * crashing or is refused.
 */
export async function supervise(supervised: Supervised, after: number): Promise<State> {
  const { context, target, sessionId } = supervised;
  const ending = new AbortController();
  let opened = openSession(target, sessionId);
  let { state } = opened;
  const crew = keepCrew(supervised, { state: () => state, over: ending.signal });
  const news = opened.lines.filter(({ seq }) => seq > after);
  for (const line of news) showLine(context.output, line);
  if (state.paused !== null && !news.some(({ records }) => records.some(isPause)))
    context.output.line(`Paused: ${state.paused.reason}. ${pauseAdvice(state.paused)}`);
  const follow = (): Promise<State> =>
    followJournal(
      context.seams,
      opened,
      (line, next) => {
        state = next;
        if (line.records.some(({ type }) => type === "task_finished")) crew.calm();
        showLine(context.output, line);
      },
      { signal: ending.signal, everyMs: 50 },
    );
  try {
    for (;;) {
      await Promise.race([follow(), crew.failed]);
      // Read anew: an end that was seen to be written could have been written by anybody.
      opened = await openMended(supervised);
      ({ state } = opened);
      if (state.status !== "running") return state;
    }
  } finally {
    ending.abort();
    await crew.leave();
  }
}

function isPause({ type }: JournalRecord): boolean {
  return type === "paused";
}

/** A living coordinator undoes what others wrote into its journal; what stays damaged is. */
async function openMended({ context, target, sessionId }: Supervised): Promise<OpenedSession> {
  const { clock } = context.seams;
  const giveUp = clock.monotonic() + DAMAGE_PATIENCE_MS;
  for (;;) {
    try {
      return openSession(target, sessionId);
    } catch (error) {
      if (!isDamage(error) || clock.monotonic() > giveUp) throw error;
      await clock.sleep(LOOK_AGAIN_MS);
    }
  }
}
