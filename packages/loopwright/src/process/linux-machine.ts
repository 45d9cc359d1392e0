import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { ProcessIdentity } from "@loopwright/protocol";
import { readStat } from "./linux-table.ts";

export type Machine = Pick<ProcessIdentity, "host" | "pid_namespace" | "boot_id">;

/** What all our identities have in common. `unknown` where a sandbox hides it: the start time alone decides then. */
export function linuxMachine(): Machine {
  return {
    host: hostname() || "localhost",
    pid_namespace: /\d+/.exec(read(() => readlinkSync("/proc/self/ns/pid")))?.[0] ?? "unknown",
    boot_id:
      read(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()) || "unknown",
  };
}

/** Ours. `process.pid` and `/proc` must agree, or nothing read from `/proc` would mean what we think. */
export function linuxSelf(): ProcessIdentity {
  const row = readStat(process.pid);
  if (typeof row === "string")
    throw new Error(`/proc does not show this process (pid ${process.pid}).`);
  return { ...linuxMachine(), pid: process.pid, start_time: row.start_time };
}

function read(source: () => string): string {
  try {
    return source();
  } catch {
    return "";
  }
}
