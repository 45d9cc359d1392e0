import type { Projection } from "@loopwright/protocol";
import type { Processes } from "../../process/processes.ts";
import { readLock } from "../../store/lock.ts";

/** Whether somebody runs a goal's session at this moment, from its lock and the process table. */
export type Holder = Projection["coordinator"];

export function holderOf(lockBase: string, processes: Pick<Processes, "liveness">): Holder {
  const lock = readLock(lockBase);
  if (lock === undefined || lock.released) return { liveness: "none" };
  const { holder } = lock.file;
  return { liveness: processes.liveness(holder), pid: holder.pid, host: holder.host };
}
