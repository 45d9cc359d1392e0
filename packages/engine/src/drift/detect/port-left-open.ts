import type { DriftFactWarning } from "@loopwright/protocol";
import { type AboutGoal, warn } from "./warn.ts";

export interface HeldPort {
  readonly port: number;
  readonly pid: number;
  /** As the process table shows it. */
  readonly command: string;
  readonly iteration: number;
}

export interface PortFacts extends AboutGoal {
  /** Ports that processes of finished iterations still listen on. */
  readonly held: readonly HeldPort[];
}

/** A server that an agent started outlived its iteration: the next one finds its port taken. */
export function portLeftOpenWarning({ held }: PortFacts): DriftFactWarning | null {
  if (held.length === 0) return null;
  const ports = Array.from(new Set(held.map(({ port }) => port))).sort((a, b) => a - b);
  const pids = Array.from(new Set(held.map(({ pid }) => pid))).sort((a, b) => a - b);
  const one = ports.length === 1;
  return warn({
    kind: "port_left_open",
    severity: "watch",
    reason: `${one ? "Port" : "Ports"} ${ports.join(", ")} ${one ? "is" : "are"} still held by ${pids.length === 1 ? "a process" : "processes"} that an agent left behind.`,
    recommended: `Free ${one ? "it" : "them"} if nothing needs ${one ? "it" : "them"}: kill ${pids.join(" ")}`,
    evidence: held.map(({ port, pid, command, iteration }) => ({
      source: "processes",
      says: `pid ${pid} of iteration ${iteration} listens on ${port}: ${command.slice(0, 200)}`,
    })),
  });
}
