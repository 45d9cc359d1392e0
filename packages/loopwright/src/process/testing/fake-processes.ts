import type { Liveness, ProcessIdentity } from "@loopwright/protocol";
import { descendantsOf } from "../family.ts";
import { MARKER } from "../marker.ts";
import type { ListeningSocket, ProcessInfo, Processes } from "../processes.ts";

export interface FakeProcess extends ProcessInfo {
  readonly marker?: string;
  /** Variable that carries the marker, if it isn't the attempt's. */
  readonly variable?: string;
  readonly ports?: readonly number[];
}

/** A process table in memory. A signal ends its target unless the process ignores it. */
export class FakeProcesses implements Processes {
  readonly machine = { host: "here", pid_namespace: "1", boot_id: "boot-1" };
  readonly signals: { pid: number; signal: NodeJS.Signals }[] = [];
  readonly own: ProcessIdentity = { ...this.machine, pid: 1000, start_time: "1000" };
  /** Identities of another machine of which the test knows better. */
  readonly elsewhere = new Map<string, Liveness>();
  readonly #rows = new Map<number, FakeProcess>();
  readonly #ignored = new Map<number, ReadonlySet<NodeJS.Signals>>();

  /** Adds a living process; without a start time, its pid. Ignoring SIGKILL makes it immortal. */
  add(
    row: Partial<FakeProcess> & { pid: number },
    ignores: readonly NodeJS.Signals[] = [],
  ): ProcessIdentity {
    const { pid } = row;
    const full = {
      parent: 1,
      group: pid,
      session: pid,
      state: "S",
      start_time: String(pid),
      command: "fake",
      ...row,
    };
    this.#rows.set(pid, full);
    this.#ignored.set(pid, new Set(ignores));
    return { ...this.machine, pid, start_time: full.start_time };
  }

  end(pid: number): void {
    this.#rows.delete(pid);
  }

  self(): ProcessIdentity {
    return this.own;
  }

  identity(pid: number): ProcessIdentity | undefined {
    const row = this.#rows.get(pid);
    return row && { ...this.machine, pid, start_time: row.start_time };
  }

  liveness(identity: ProcessIdentity): Liveness {
    const known = this.elsewhere.get(identity.host);
    if (known !== undefined) return known;
    if (identity.host !== this.machine.host) return "unknown";
    if (identity.boot_id !== this.machine.boot_id) return "dead";
    if (identity.pid_namespace !== this.machine.pid_namespace) return "unknown";
    if (identity.pid === this.own.pid)
      return identity.start_time === this.own.start_time ? "alive" : "dead";
    return this.#rows.get(identity.pid)?.start_time === identity.start_time ? "alive" : "dead";
  }

  info(pid: number): ProcessInfo | undefined {
    return this.#rows.get(pid);
  }

  list(): ProcessInfo[] {
    return [...this.#rows.values()];
  }

  marked(marker: string, variable: string = MARKER): ProcessInfo[] {
    return [...this.#rows.values()].filter(
      (row) => row.marker === marker && (row.variable ?? MARKER) === variable,
    );
  }

  descendants(pids: readonly number[]): ProcessInfo[] {
    return descendantsOf(this.list(), pids);
  }

  listening(pids: readonly number[]): ListeningSocket[] {
    return pids.flatMap((pid) => (this.#rows.get(pid)?.ports ?? []).map((port) => ({ pid, port })));
  }

  signal(target: ProcessIdentity, signal: NodeJS.Signals): boolean {
    if (target.pid === this.own.pid || this.liveness(target) !== "alive") return false;
    this.signals.push({ pid: target.pid, signal });
    if (!this.#ignored.get(target.pid)?.has(signal)) this.end(target.pid);
    return true;
  }

  signalGroup(leader: ProcessIdentity, signal: NodeJS.Signals): boolean {
    if (this.liveness(leader) !== "alive" || this.#rows.get(leader.pid)?.group !== leader.pid)
      return false;
    for (const row of this.list()) {
      if (row.group === leader.pid)
        this.signal({ ...this.machine, pid: row.pid, start_time: row.start_time }, signal);
    }
    return true;
  }
}
