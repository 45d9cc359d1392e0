import type { ProcessIdentity } from "@loopwright/protocol";
import { descendantsOf } from "./family.ts";
import type { Processes } from "./processes.ts";

/** Descendants of a running attempt that would be lost to a search at its end. */
export interface Company {
  look(): void;
  /** Those that had left the shim's group and session when they were seen; some may be dead by now. */
  strayed(): ProcessIdentity[];
}

/**
 * A process that leaves the group and the session and drops the marker can be told only as long as its parents live. So
 * the table is looked at while the agent runs, and who strayed is remembered. What strays and loses its parents between
 * two looks stays unknown.
 */
export function createCompany(processes: Processes, shim: ProcessIdentity): Company {
  const machine = processes.self();
  const known = new Map<string, ProcessIdentity>();
  return {
    look() {
      const rows = processes.list();
      const living = new Set(rows.map((row) => `${row.pid} ${row.start_time}`));
      for (const key of known.keys()) if (!living.has(key)) known.delete(key);
      const roots = [shim.pid, ...[...known.values()].map(({ pid }) => pid)];
      for (const { pid, start_time, group, session } of descendantsOf(rows, roots))
        if (group !== shim.pid && session !== shim.pid)
          known.set(`${pid} ${start_time}`, { ...machine, pid, start_time });
    },
    strayed: () => [...known.values()],
  };
}
