import type { Liveness, ProcessIdentity } from "@loopwright/protocol";
import { descendantsOf } from "./family.ts";
import { linuxMachine, linuxSelf } from "./linux-machine.ts";
import { linuxListening } from "./linux-sockets.ts";
import {
  hasEnvironmentEntry,
  isDead,
  listPids,
  readCommand,
  readStat,
  type StatRow,
} from "./linux-table.ts";
import { MARKER } from "./marker.ts";
import type { ProcessInfo, Processes } from "./processes.ts";

export function createLinuxProcesses(): Processes {
  const machine = linuxMachine();

  const rows = (): StatRow[] =>
    listPids().flatMap((pid) => {
      const row = readStat(pid);
      return typeof row === "string" || isDead(row) ? [] : [row];
    });

  const info = (pid: number): ProcessInfo | undefined => {
    const row = readStat(pid);
    return typeof row === "string" || isDead(row)
      ? undefined
      : toInfo(row, readCommand(pid, row.name));
  };

  const liveness = (identity: ProcessIdentity): Liveness => {
    // The boot id names the running kernel, so within one boot a changed host name is still this machine.
    if (identity.boot_id !== machine.boot_id)
      return identity.host === machine.host ? "dead" : "unknown";
    if (identity.pid_namespace !== machine.pid_namespace) return "unknown";
    const row = readStat(identity.pid);
    if (row === "hidden") return "unknown";
    if (row === "gone") return mayExist(identity.pid) ? "unknown" : "dead";
    return row.start_time === identity.start_time && !isDead(row) ? "alive" : "dead";
  };

  return {
    self: linuxSelf,
    identity(pid) {
      const row = readStat(pid);
      if (typeof row === "string" || isDead(row)) return undefined;
      return { ...machine, pid, start_time: row.start_time };
    },
    liveness,
    info,
    list: () => rows().map((row) => toInfo(row, row.name)),
    marked(marker, variable = MARKER) {
      const entry = `${variable}=${marker}`;
      return listPids()
        .filter((pid) => hasEnvironmentEntry(pid, entry))
        .flatMap((pid) => info(pid) ?? []);
    },
    descendants: (pids) =>
      descendantsOf(rows(), pids).map((row) => toInfo(row, readCommand(row.pid, row.name))),
    listening: linuxListening,
    signal(target, signal) {
      if (target.pid === process.pid || liveness(target) !== "alive") return false;
      return send(target.pid, signal);
    },
    signalGroup(leader, signal) {
      if (liveness(leader) !== "alive") return false;
      const row = readStat(leader.pid);
      const own = readStat(process.pid);
      if (typeof row === "string" || row.group !== leader.pid) return false;
      if (typeof own === "string" || own.group === leader.pid) return false;
      return send(-leader.pid, signal);
    },
  };
}

function toInfo(row: StatRow, command: string): ProcessInfo {
  const { pid, parent, group, session, state, start_time } = row;
  return { pid, parent, group, session, state, start_time, command };
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Under `hidepid=2` the processes of others have no entry in `/proc`, yet the kernel answers EPERM for them. */
function mayExist(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
  // It answers, but its entry was absent a moment ago: gone and a new one there, or a race. Look once more.
  return typeof readStat(pid) === "string";
}
