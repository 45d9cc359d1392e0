import { endingText, type StopMode } from "@loopwright/protocol";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { openSession } from "../open-session.ts";
import { steer } from "../steer.ts";
import { endStranded, unreadableSession } from "../stranded.ts";
import { findGoal } from "../target.ts";

interface StopOptions {
  readonly now?: boolean;
  readonly kill?: boolean;
  readonly reason?: string;
}

/** How long `--now` and `--kill` are waited for: longer than the ladder's rungs and a report together. */
const PATIENCE_MS = 30_000;

export async function run(context: Context, invocation: Invocation): Promise<number> {
  const { now = false, kill = false, reason } = invocation.options as StopOptions;
  const { output } = context;
  const mode: StopMode = kill ? "kill" : now ? "now" : "graceful";
  const why = reason === undefined ? {} : { reason };
  if (kill) {
    const stranded = await killStranded(context);
    if (stranded !== undefined) return stranded;
  }
  const steered = await steer(context, "stop", { mode, ...why }, () => ({
    kind: "stop",
    stop: { mode, by: "user", ...why },
  }));
  const state =
    mode === "graceful"
      ? openSession(steered.target, steered.sessionId).state
      : await ended(context, steered);
  if (state.status !== "running")
    output.line(`Session ${state.session_id} is ${endingText(state.status, state.stop_reason)}.`);
  else if (mode !== "graceful")
    output.line("Asked for, and not finished yet; look at it with: loopwright status");
  else
    output.line(
      state.task === null
        ? "It stops."
        : "It stops after this iteration. At once: loopwright stop --now",
    );
  output.document({
    session_id: steered.sessionId,
    seq: steered.seq,
    status: state.status,
    stop_reason: state.stop_reason,
  });
  return 0;
}

/** By force also where no file of the session can be read: its agents are told by their environment. */
async function killStranded(context: Context): Promise<number | undefined> {
  const unreadable = unreadableSession(findGoal(context));
  if (unreadable === undefined) return undefined;
  const { sessionId, error } = unreadable;
  context.output.warn(`session ${sessionId} can't be read: ${error.message}`);
  const came = await endStranded(context, sessionId);
  context.output.line(`${came}. A new session: loopwright run --new`);
  context.output.document({ session_id: sessionId, unreadable: error.code, ended: came });
  return 0;
}

async function ended({ seams }: Context, { target, sessionId }: Awaited<ReturnType<typeof steer>>) {
  const until = seams.clock.monotonic() + PATIENCE_MS;
  for (;;) {
    const { state } = openSession(target, sessionId);
    if (state.status !== "running" || seams.clock.monotonic() > until) return state;
    await seams.clock.sleep(100);
  }
}
