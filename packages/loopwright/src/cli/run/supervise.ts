import type { State } from "@loopwright/engine";
import { followJournal } from "../follow-journal.ts";
import { openSession } from "../open-session.ts";
import { showLine } from "./live-view.ts";
import { keepCrew, type Supervised } from "./keep-crew.ts";

/**
 * Keeps a coordinator and a worker going until the session is terminal, telling what happens. One that is gone is
 * started again, whoever had started it: that is what makes an unattended night survive a crash. Throws when one keeps
 * crashing or is refused.
 */
export async function supervise(supervised: Supervised, after: number): Promise<State> {
  const { context, target, sessionId } = supervised;
  const ending = new AbortController();
  const opened = openSession(target, sessionId);
  let { state } = opened;
  const crew = keepCrew(supervised, { state: () => state, over: ending.signal });
  for (const line of opened.lines) if (line.seq > after) showLine(context.output, line);
  const followed = followJournal(
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
    await Promise.race([followed, crew.failed]);
    // Read anew: what was seen line by line could have been written by anybody.
    return openSession(target, sessionId).state;
  } finally {
    ending.abort();
    await crew.leave();
  }
}
