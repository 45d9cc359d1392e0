import { execFileSync } from "node:child_process";
import { hostname } from "node:os";
import type { ProcessIdentity } from "@loopwright/protocol";

export type DarwinMachine = Pick<ProcessIdentity, "host" | "pid_namespace" | "boot_id">;

export function darwinMachine(): DarwinMachine {
  const boot = execFileSync("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"], {
    encoding: "utf8",
  });
  return { host: hostname() || "localhost", pid_namespace: "none", boot_id: boot.trim() };
}

/** `lstart` has whole seconds: two processes of one pid within one second can't be told apart here. */
export function darwinSelf(): ProcessIdentity {
  const args = ["-o", "lstart=", "-p", String(process.pid)];
  const text = execFileSync("/bin/ps", args, {
    encoding: "utf8",
    env: { LC_ALL: "C", TZ: "UTC0" },
  });
  return { ...darwinMachine(), pid: process.pid, start_time: startSeconds(text) };
}

/** `Mon Nov 30 13:12:01 2026` in UTC as seconds since the epoch, so that start times compare as numbers. */
export function startSeconds(lstart: string): string {
  return String(Date.parse(`${lstart.trim()} UTC`) / 1000);
}
