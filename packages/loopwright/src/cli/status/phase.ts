import type { State } from "@loopwright/engine";
import type { Liveness, Phase } from "@loopwright/protocol";
import type { Processes } from "../../process/processes.ts";
import { readLock } from "../../store/lock.ts";

/** Whether somebody runs a goal's session at this moment, from its lock and the process table. */
export interface Holder {
  readonly liveness: Liveness | "none";
  readonly pid?: number;
  readonly host?: string;
}

export function holderOf(lockBase: string, processes: Pick<Processes, "liveness">): Holder {
  const lock = readLock(lockBase);
  if (lock === undefined || lock.released) return { liveness: "none" };
  const { holder } = lock.file;
  return { liveness: processes.liveness(holder), pid: holder.pid, host: holder.host };
}

/** What a session is doing. Running without a living coordinator is `interrupted`, never running. */
export function phaseOf(
  state: State,
  holder: Holder,
  processes: Pick<Processes, "liveness">,
): Phase {
  if (state.status !== "running") return "ended";
  if (state.paused !== null && state.task === null)
    return state.paused.reason === "user" ? "paused" : "waiting_you";
  if (holder.liveness === "none" || holder.liveness === "dead") return "interrupted";
  if (state.questions.some(({ blocking }) => blocking) && state.task === null) return "waiting_you";
  const seat = state.seat === null ? "none" : processes.liveness(state.seat);
  if (state.task !== null && seat === "dead") return "recovering";
  if (state.task?.kind === "verification") return "verifying";
  if (state.task !== null) return "executing";
  return seat === "none" || seat === "dead" || state.iterations === 0
    ? "starting"
    : "waiting_provider";
}
