import { foldLine, type State } from "@loopwright/engine";
import type { Configuration, JournalLine } from "@loopwright/protocol";
import { z } from "zod";
import { writeDurable } from "../../store/durable-write.ts";
import { tailJournal } from "../../store/journal-tail.ts";
import { readJsonIfPresent } from "../../store/read.ts";
import type { SessionLayout } from "../../store/session-layout.ts";
import type { Seams } from "../seams.ts";
import { callWebhook, runCommand } from "./deliver.ts";
import { type Notice, noticesOf } from "./notices.ts";

export interface NotifierOptions {
  readonly seams: Pick<Seams, "clock" | "disk">;
  readonly layout: SessionLayout;
  readonly settings: Configuration["notify"];
  /** Where the command runs. */
  readonly cwd: string;
  readonly onProblem: (error: unknown) => void;
}

/**
 * Tells people what the journal says, beside the loop and never in its way: it reads the journal like anybody else, and
 * notes in `notified.json` how far everything was delivered. A crash in between sends a notice again, with the same id.
 */
interface Notifier {
  /** Resolves when all that is in the journal is delivered, or after so many monotonic ms. */
  settle(patienceMs: number): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
/** Between two attempts, doubling. */
const RETRY_MS = { first: 5_000, longest: 300_000 };

const notifiedFile = z.looseObject({ schema_version: z.literal(1), seq: z.int() });

/** Undefined: nobody wants to be told anything. */
export function startNotifier(options: NotifierOptions, signal: AbortSignal): Notifier | undefined {
  const { seams, layout, settings, cwd, onProblem } = options;
  const { command, webhook } = settings;
  if (command === null && webhook === null) return undefined;
  const tail = tailJournal(layout.journal);
  const path = `${layout.directory}/notified.json`;
  let state: State | null = null;
  let delivered = deliveredUpTo(path);
  let waiting: Notice[] = [];
  let busy: Promise<void> | undefined;
  let retry = { ms: RETRY_MS.first, at: -Infinity };

  const look = (): void => {
    const { lines, restarted } = tail.poll();
    if (restarted) state = null;
    for (const line of lines as unknown as JournalLine[]) {
      const before: State | null = state;
      state = foldLine(before, line);
      if (line.seq > delivered) waiting.push(...noticesOf(before, state, settings.on));
    }
  };

  const deliver = async (): Promise<void> => {
    for (let notice = waiting[0]; notice !== undefined; notice = waiting[0]) {
      const done = await Promise.all([
        command === null || runCommand(command, notice, cwd),
        webhook === null || callWebhook(webhook, notice),
      ]);
      if (done.includes(false)) {
        const { ms } = retry;
        retry = { ms: Math.min(ms * 2, RETRY_MS.longest), at: seams.clock.monotonic() + ms };
        return;
      }
      retry = { ms: RETRY_MS.first, at: -Infinity };
      waiting = waiting.slice(1);
      // Not before the last of its line: a crash here sends those of this line again.
      if (waiting[0]?.seq !== notice.seq) note(notice.seq);
    }
  };

  const note = (seq: number): void => {
    delivered = seq;
    const text = `${JSON.stringify({ schema_version: 1, seq })}\n`;
    writeDurable(seams.disk, path, text, { durable: false });
  };

  const turn = async (): Promise<void> => {
    try {
      look();
      if (waiting.length > 0 && seams.clock.monotonic() >= retry.at) await deliver();
    } catch (error) {
      onProblem(error);
    }
  };
  const turnOnce = (): Promise<void> =>
    (busy ??= turn().finally(() => {
      busy = undefined;
    }));
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await turnOnce();
      await seams.clock.sleep(LOOK_EVERY_MS, signal);
    }
  };
  void run();
  return {
    async settle(patienceMs) {
      const all = async (): Promise<void> => {
        await busy;
        await turnOnce();
      };
      await Promise.race([all(), seams.clock.sleep(patienceMs)]);
    },
  };
}

/** -1: nothing yet. A file that can't be read costs a repetition. */
function deliveredUpTo(path: string): number {
  try {
    return readJsonIfPresent(path, notifiedFile)?.seq ?? -1;
  } catch {
    return -1;
  }
}
