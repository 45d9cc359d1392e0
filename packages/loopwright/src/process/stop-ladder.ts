import type { ProcessIdentity } from "@loopwright/protocol";
import type { Clock } from "../seams/clock.ts";
import { type AttemptScope, findMembers } from "./members.ts";
import type { ProcessInfo, Processes } from "./processes.ts";
import { createQuarry, type Quarry } from "./quarry.ts";

export interface StopRequest extends AttemptScope {
  readonly processes: Processes;
  readonly clock: Clock;
  /** What the agent's CLI takes as "stop, please"; without it the ladder begins at TERM. */
  readonly nativeSignal?: NodeJS.Signals;
  /** Monotonic milliseconds that each rung waits. Defaults: native 5,000, term 3,000 (measured on the real CLIs). */
  readonly grace?: { readonly native?: number; readonly term?: number };
  /** Aborted: no more waiting, KILL now. */
  readonly signal?: AbortSignal;
}

/** One process of the attempt. */
export interface EndedProcess {
  readonly pid: number;
  readonly start_time: string;
  readonly command: string;
}

export interface StopResult {
  readonly ended: EndedProcess[];
  /** Still there, or perhaps ours and not provably so. Empty means: nothing of the attempt runs any more. */
  readonly survivors: EndedProcess[];
}

/** Time for processes that can't die at once (in a system call, or forking faster than we look). Monotonic ms. */
const KILL_PATIENCE_MS = 10_000;
/** Time for the shim to write exit.json after its agent's death. Monotonic ms. */
const SHIM_PATIENCE_MS = 5_000;
const KILL_PAUSE_MS = 10;

/**
 * Ends everything of an attempt: native signal, TERM, KILL, each followed by a wait that ends as soon as nothing is
 * left. A group signal alone doesn't do it: the agents' tools run in sessions of their own. The shim goes last, by
 * itself if it can, so that `exit.json` gets written. May be called again, and by anybody, at any time.
 */
export async function stopAttempt(request: StopRequest): Promise<StopResult> {
  const { nativeSignal, signal } = request;
  const quarry = createQuarry(request);
  quarry.look();

  if (nativeSignal !== undefined && quarry.alive().length > 0) {
    signalAll(request, quarry, nativeSignal);
    await quarry.settle(request.grace?.native ?? 5_000, signal);
  }
  if (quarry.alive().length > 0) {
    signalAll(request, quarry, "SIGTERM");
    await quarry.settle(request.grace?.term ?? 3_000, signal);
  }
  await killAll(request, quarry);
  if (request.shim !== undefined && quarry.alive().length === 0) {
    await endShim(request, request.shim, quarry);
    await killAll(request, quarry);
  }
  return result(request, quarry);
}

/** The living shim's group at once, so that no fork slips between; then one by one what has left it. */
function signalAll({ processes, shim }: StopRequest, quarry: Quarry, signal: NodeJS.Signals): void {
  const reached = shim !== undefined && processes.signalGroup(shim, signal);
  for (const target of quarry.alive()) {
    if (reached && target.group === shim.pid) continue;
    processes.signal(quarry.identity(target), signal);
  }
}

async function killAll({ processes, clock, shim }: StopRequest, quarry: Quarry): Promise<void> {
  const deadline = clock.monotonic() + KILL_PATIENCE_MS;
  while (quarry.look() || quarry.alive().length > 0) {
    for (const target of quarry.alive()) processes.signal(quarry.identity(target), "SIGKILL");
    if (clock.monotonic() >= deadline) break;
    await clock.sleep(KILL_PAUSE_MS);
  }
  // Something in the group forks faster than we look: only the kernel is quick enough, and exit.json is its price.
  if (quarry.alive().some((target) => target.group === shim?.pid) && shim) {
    processes.signalGroup(shim, "SIGKILL");
    await quarry.settle(KILL_PATIENCE_MS);
  }
}

/** Ends by itself once its agent has; one that was about to start an agent does so first, and is caught here. */
async function endShim(request: StopRequest, shim: ProcessIdentity, quarry: Quarry): Promise<void> {
  const { processes, clock } = request;
  const deadline = clock.monotonic() + SHIM_PATIENCE_MS;
  while (processes.liveness(shim) === "alive") {
    if (quarry.look()) await killAll(request, quarry);
    if (clock.monotonic() >= deadline) processes.signal(shim, "SIGKILL");
    if (clock.monotonic() >= deadline + KILL_PATIENCE_MS) return;
    await clock.sleep(KILL_PAUSE_MS);
  }
}

function result(request: StopRequest, quarry: Quarry): StopResult {
  const { processes, shim } = request;
  const survivors = new Map<number, EndedProcess>();
  const survive = (row: ProcessInfo): unknown => survivors.set(row.pid, toEnded(row));
  for (const row of quarry.alive()) survive(row);
  for (const row of findMembers(processes, request).unverified) survive(row);
  if (shim !== undefined && processes.liveness(shim) !== "dead") {
    survivors.set(shim.pid, {
      pid: shim.pid,
      start_time: shim.start_time,
      command: "shim of the attempt",
    });
  }
  return { ended: quarry.dead().map(toEnded), survivors: [...survivors.values()] };
}

function toEnded({ pid, start_time, command }: ProcessInfo): EndedProcess {
  return { pid, start_time, command };
}
