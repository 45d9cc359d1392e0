import type { ProcessIdentity } from "@loopwright/protocol";
import { descendantsOf } from "./family.ts";
import type { ProcessInfo, Processes } from "./processes.ts";

/** What names an attempt's processes. */
export interface AttemptScope {
  /** The attempt id, as the value of the marker. */
  readonly marker: string;
  /** The variable that carries it. Default `MARKER`. */
  readonly variable?: string;
  /** From `process.json`. Leads the attempt's group and session. */
  readonly shim?: ProcessIdentity;
  /**
   * The caller itself saw the shim alive a moment ago, as the worker that launched it did. While the group has members
   * its number can't be given to anybody else, so they are then the attempt's also after the shim's death.
   */
  readonly seenAlive?: boolean;
  /** Descendants that were seen before they lost their parents. */
  readonly strayed?: readonly ProcessIdentity[];
}

export interface Members {
  /** Verified: they carry the marker, descend from such a process, or are in the living shim's group. Never the shim. */
  readonly ours: ProcessInfo[];
  /** In a group or session with the number of a dead shim: perhaps ours, perhaps a later owner's. Never signalled. */
  readonly unverified: ProcessInfo[];
}

/** One look. `known` are processes found earlier, whose children count although the marker may be gone from them. */
export function findMembers(
  processes: Processes,
  scope: AttemptScope,
  known: readonly ProcessIdentity[] = [],
): Members {
  const { marker, shim } = scope;
  const marked = processes.marked(marker, scope.variable);
  const rows = processes.list();
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const shimAlive = shim !== undefined && processes.liveness(shim) === "alive";

  const grouped =
    shim === undefined || !sameMachine(shim, processes.self())
      ? []
      : rows.filter((row) => isGrouped(row, shim));
  const trusted = shimAlive || scope.seenAlive === true ? grouped : [];
  const earlier = [...known, ...(scope.strayed ?? [])].flatMap(({ pid, start_time }) => {
    const row = byPid.get(pid);
    return row?.start_time === start_time ? [row] : [];
  });
  const roots = [...marked, ...trusted, ...earlier];
  const rootPids = roots.map((row) => row.pid);
  const family = descendantsOf(rows, shimAlive ? [...rootPids, shim.pid] : rootPids);

  const spared = ownLine(byPid);
  if (shim !== undefined && shimAlive) spared.add(shim.pid);
  const ours = new Map<number, ProcessInfo>();
  for (const row of [...roots, ...family]) if (!spared.has(row.pid)) ours.set(row.pid, row);
  const unverified = grouped.filter((row) => !ours.has(row.pid) && !spared.has(row.pid));
  return { ours: named(processes, [...ours.values()]), unverified: named(processes, unverified) };
}

/** Another boot or namespace: its numbers mean nothing here. */
function sameMachine(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.boot_id === b.boot_id && a.pid_namespace === b.pid_namespace;
}

function isGrouped(row: ProcessInfo, shim: ProcessIdentity): boolean {
  if (row.pid === shim.pid) return false;
  const inside = row.group === shim.pid || row.session === shim.pid;
  return inside && Number(row.start_time) >= Number(shim.start_time);
}

/** Ourselves and our ancestors: an attempt that asks for its own end must not take its asker's house down. */
function ownLine(rows: ReadonlyMap<number, ProcessInfo>): Set<number> {
  const line = new Set([process.pid]);
  for (let row = rows.get(process.pid); row !== undefined; row = rows.get(row.parent)) {
    if (line.has(row.parent)) break;
    line.add(row.parent);
  }
  return line;
}

/** `list()` gives short names; people want the argv. */
function named(processes: Processes, rows: readonly ProcessInfo[]): ProcessInfo[] {
  return rows.map((row) => {
    const full = processes.info(row.pid);
    return full?.start_time === row.start_time ? full : row;
  });
}
