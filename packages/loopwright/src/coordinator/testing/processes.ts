import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { ProcessIdentity } from "@loopwright/protocol";
import type { Processes } from "../../process/processes.ts";

/** A real process that does nothing: somebody's identity, to be ended by the test. */
export interface Sleeper {
  readonly identity: ProcessIdentity;
  end(): Promise<void>;
}

export async function startSleeper(processes: Processes, env: Record<string, string> = {}): Promise<Sleeper> {
  const child: ChildProcess = spawn("sleep", ["600"], { stdio: "ignore", env: { ...process.env, ...env } });
  await once(child, "spawn");
  const identity = processes.identity(child.pid ?? 0);
  if (identity === undefined) throw new Error("The process is gone already");
  return {
    identity,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** Waits for a condition, not for luck. */
export async function until(condition: () => boolean, ms = 10_000): Promise<void> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Not within ${ms} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
