import { foldLine, type State } from "@loopwright/engine";
import { type JournalLine, LoopwrightError } from "@loopwright/protocol";
import { type TailNews, tailJournal } from "../store/journal-tail.ts";
import type { Seams } from "./context.ts";
import { foldAll, type OpenedSession } from "./open-session.ts";

const LOOK_EVERY_MS = 200;
/** A living coordinator undoes within seconds what others write into its journal. Monotonic milliseconds. */
export const DAMAGE_PATIENCE_MS = 5_000;

/**
 * Hands over what is appended to a session's journal, until the session is terminal or `signal` aborts. Lines that a
 * new holder withdrew aren't taken back; what came in their place is handed over.
 * @returns the state at the end
 */
export async function followJournal(
  { clock }: Pick<Seams, "clock">,
  opened: OpenedSession,
  onLine: (line: JournalLine, state: State) => void,
  options: { signal?: AbortSignal; everyMs?: number; pastEnd?: boolean } = {},
): Promise<State> {
  const tail = tailJournal(opened.layout.journal, opened.loaded.end);
  let { state } = opened;
  let damagedSince: number | undefined;
  for (;;) {
    let news: TailNews;
    try {
      news = tail.poll();
      damagedSince = undefined;
    } catch (error) {
      if (!isDamage(error)) throw error;
      damagedSince ??= clock.monotonic();
      if (clock.monotonic() - damagedSince > DAMAGE_PATIENCE_MS) throw error;
      await clock.sleep(LOOK_EVERY_MS, options.signal);
      continue;
    }
    const lines = news.lines as unknown as JournalLine[];
    if (news.restarted) {
      const known = state.seq;
      state = foldAll(lines);
      for (const line of lines) if (line.seq > known) onLine(line, state);
    } else {
      for (const line of lines) {
        state = foldLine(state, line);
        onLine(line, state);
      }
    }
    if (options.signal?.aborted === true) return state;
    if (state.status !== "running" && options.pastEnd !== true) return state;
    await clock.sleep(options.everyMs ?? LOOK_EVERY_MS, options.signal);
  }
}

export function isDamage(error: unknown): boolean {
  return error instanceof LoopwrightError && error.code === "JOURNAL_DAMAGED";
}
