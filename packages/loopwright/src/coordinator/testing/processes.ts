import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { ProcessIdentity } from "@loopwright/protocol";
import type { Processes } from "../../process/processes.ts";

/** A real process that does nothing: somebody's identity, to be ended by the test. */
export interface Sleeper {
  readonly identity: ProcessIdentity;
  end(): Promise<void>;
}

export async function startSleeper(
  processes: Processes,
  env: Record<string, string> = {},
): Promise<Sleeper> {
  const child: ChildProcess = spawn("sleep", ["600"], {
    stdio: "ignore",
    env: { ...process.env, ...env },
  });
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

/** A shim's stand-in with its agent: a group of their own, which ends when it is told to. */
export async function startAgent(
  processes: Processes,
  task: { attempt_id: string },
): Promise<Sleeper> {
  const child = spawn("sh", ["-c", "sleep 600; exit 0"], {
    stdio: "ignore",
    detached: true,
    env: { ...process.env, LOOPWRIGHT_ATTEMPT: task.attempt_id },
  });
  await once(child, "spawn");
  const identity = processes.identity(child.pid ?? 0);
  if (identity === undefined) throw new Error("The process is gone already");
  return {
    identity,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      processes.signalGroup(identity, "SIGKILL");
      await once(child, "exit");
    },
  };
}

export function processFileOf(task: { attempt_id: string }, shim: ProcessIdentity): object {
  const started_at = "2025-01-01T00:00:00.000Z";
  return {
    schema_version: 1,
    attempt_id: task.attempt_id,
    ...shim,
    group: shim.pid,
    adapter: "command",
    argv_digest: "x",
    started_at,
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
