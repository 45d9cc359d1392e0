import type { Leftover } from "@loopwright/protocol";
import type { Clock } from "../seams/clock.ts";
import { type AttemptScope, findMembers } from "./members.ts";
import type { Processes } from "./processes.ts";
import { createQuarry } from "./quarry.ts";
import { stopAttempt } from "./stop-ladder.ts";

export interface SweepRequest extends AttemptScope {
  readonly processes: Processes;
  readonly clock: Clock;
  /** Monotonic milliseconds between TERM and KILL. Default 2,000. */
  readonly grace?: number;
}

/** What is about to end by itself with its parent is no leftover. Monotonic milliseconds. */
const FAREWELL_MS = 150;

/**
 * After an agent has ended by itself: names what it left running, with the ports that it holds, and ends it. One look
 * at the process table if there is nothing. `ended: false` means that it may still run: nothing new may start.
 */
export async function sweepAttempt(request: SweepRequest): Promise<Leftover[]> {
  const { processes, clock, grace = 2_000 } = request;
  if (isEmpty(findMembers(processes, request))) return [];

  await createQuarry(request).settle(FAREWELL_MS);
  const { ours, unverified } = findMembers(processes, request);
  const sockets = processes.listening([...ours, ...unverified].map((row) => row.pid));
  const { ended, survivors } = await stopAttempt({ ...request, clock, grace: { term: grace } });

  const left = (row: { pid: number; command: string }, isEnded: boolean): Leftover => ({
    pid: row.pid,
    command: row.command,
    ports: sockets.filter((socket) => socket.pid === row.pid).map((socket) => socket.port),
    ended: isEnded,
  });
  return [...ended.map((row) => left(row, true)), ...survivors.map((row) => left(row, false))];
}

function isEmpty({ ours, unverified }: ReturnType<typeof findMembers>): boolean {
  return ours.length + unverified.length === 0;
}
