import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../seams/clock.ts";
import { systemIds } from "../../seams/ids.ts";
import type { AttemptProcess } from "../attempt-process.ts";
import { createLauncher, type Launcher } from "../launcher.ts";
import type { Order } from "../order.ts";
import { createProcesses, type Processes } from "../processes.ts";
import type { ShimProgram } from "../shim-process.ts";
import { stopAttempt } from "../stop-ladder.ts";

export const FAKE_AGENT = fileURLToPath(
  new URL("../../../../../tests/fixtures/fake-agent.mjs", import.meta.url),
);

/** A temporary directory with real processes in it, all ended by `close`. */
export interface AttemptRoom {
  readonly directory: string;
  readonly processes: Processes;
  readonly launcher: Launcher;
  path(name: string): string;
  read(name: string): string;
  json(name: string): Record<string, unknown>;
  /** An order that runs the fake agent through these steps. Files of the n-th order are `<n>.out`, `<n>.exit.json`, …. */
  agent(steps: object[], changes?: Partial<Order>): Order;
  program(file: string, args: string[], changes?: Partial<Order>): Order;
  start(order: Order): Promise<AttemptProcess>;
  /** The pid that a step wrote to this file, once it is there. */
  pid(name: string): Promise<number>;
  close(): Promise<void>;
}

export function createAttemptRoom(shim?: ShimProgram): AttemptRoom {
  const directory = mkdtempSync(join(tmpdir(), "loopwright-process-"));
  const processes = createProcesses();
  const launcher = createLauncher(shim === undefined ? { processes } : { processes, shim });
  const orders: Order[] = [];
  const pids: number[] = [];
  const path = (name: string): string => join(directory, name);
  const read = (name: string): string => readFileSync(path(name), "utf8");

  const program = (file: string, args: string[], changes: Partial<Order> = {}): Order => {
    const name = String(orders.length + 1);
    const order: Order = {
      file,
      args,
      env: {},
      cwd: directory,
      stdoutPath: path(`${name}.out`),
      stderrPath: path(`${name}.err`),
      processPath: path(`${name}.process.json`),
      exitPath: path(`${name}.exit.json`),
      attemptId: systemIds.next(),
      adapter: "command",
      argvDigest: "0".repeat(64),
      ...changes,
    };
    orders.push(order);
    return order;
  };

  return {
    directory,
    processes,
    launcher,
    path,
    read,
    json: (name) => JSON.parse(read(name)) as Record<string, unknown>,
    program,
    agent(steps, changes = {}) {
      const plan = path(`${orders.length + 1}.plan.json`);
      writeFileSync(plan, JSON.stringify({ steps }));
      const env = { FAKE_AGENT_PLAN: plan, FAKE_AGENT_WITNESS: path("witness"), ...changes.env };
      return program(process.execPath, [FAKE_AGENT], { ...changes, env });
    },
    async start(order) {
      const launched = await launcher.launch(order);
      if (!("exited" in launched)) throw new Error(JSON.stringify(launched));
      return launched;
    },
    async pid(name) {
      await until(() => existsSync(path(name)));
      pids.push(Number(read(name)));
      return Number(read(name));
    },
    async close() {
      launcher.close();
      for (const { attemptId, processPath } of orders) {
        await stopAttempt({ processes, clock: systemClock, marker: attemptId, grace: { term: 0 } });
        if (existsSync(processPath))
          end(processes, JSON.parse(readFileSync(processPath, "utf8")).pid);
      }
      for (const pid of pids) end(processes, pid);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Waits for a condition; fails with its text after ten seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`never came true: ${condition.toString()}`);
    await systemClock.sleep(5);
  }
}

/** Only what still is a node or a shell program of a test: pids written long ago may be somebody else's. */
function end(processes: Processes, pid: unknown): void {
  const identity = typeof pid === "number" ? processes.identity(pid) : undefined;
  const command = identity && processes.info(identity.pid)?.command;
  if (identity && command && /fake-agent|shim|sleep/.test(command))
    processes.signal(identity, "SIGKILL");
}
