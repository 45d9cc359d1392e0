import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { AgentExit, AttemptProcess, Launched } from "./attempt-process.ts";
import { directoryIdentity, type Order, type ShimMessage, type ShimOrder } from "./order.ts";
import type { Processes } from "./processes.ts";
import {
  defaultShimProgram,
  type ShimProcess,
  type ShimProgram,
  startShim,
} from "./shim-process.ts";

export interface LauncherSeams {
  readonly processes: Pick<Processes, "self">;
  /** Another shim program; tests inject one that fails at a chosen step. */
  readonly shim?: ShimProgram;
}

export interface Launcher {
  /** Starts one attempt. Several may run at once. Resolves when the agent runs, or will not. */
  launch(order: Order): Promise<Launched>;
  /** Starts the spare shim now, so that the first launch is as quick as the later ones. */
  prepare(): void;
  /** Lets the spare go. Running attempts go on, and keep this process alive no longer. */
  close(): void;
}

/** Keeps one spare shim waiting: a start of node takes about 40 ms, which no iteration should pay for. */
export function createLauncher(seams: LauncherSeams): Launcher {
  const program = seams.shim ?? defaultShimProgram();
  let spare: ShimProcess | undefined;
  let closed = false;
  const running = new Set<ShimProcess>();

  const prepare = (): void => {
    if (!closed && !spare?.open) spare = startShim(program);
  };
  const take = (): ShimProcess => {
    const shim = spare?.open ? spare : startShim(program);
    spare = undefined;
    return shim;
  };

  const launch = async (order: Order, again = true): Promise<Launched> => {
    const shim = take();
    shim.pipe.ref();
    running.add(shim);
    shim.pipe.once("close", () => running.delete(shim));
    const directory = directoryIdentity(dirname(order.processPath));
    const sent: ShimOrder = { ...order, ...(directory === undefined ? {} : { directory }) };
    shim.pipe.write(`${JSON.stringify(sent)}\n`);
    const answer = await shim.next();
    // Not here and now: starting a process blocks us for milliseconds, and the caller waits for this answer.
    setImmediate(prepare);
    if (answer === undefined) {
      // Without process.json it had not begun, and if it should still live, its exclusive creation decides.
      const begun = existsSync(order.processPath);
      if (!begun && again) return launch(order, false);
      return {
        failed: "The shim died before the agent was started.",
        problem: "files",
        uncertain: begun,
      };
    }
    return toLaunched(answer, shim, order, seams.processes);
  };

  return {
    launch,
    prepare,
    close() {
      closed = true;
      spare?.pipe.destroy();
      spare = undefined;
      for (const { pipe } of running) pipe.unref();
    },
  };
}

function toLaunched(
  answer: ShimMessage,
  shim: ShimProcess,
  order: Order,
  processes: Pick<Processes, "self">,
): Launched {
  if (answer.type === "started") {
    const { pid, start_time, agent_pid } = answer;
    const attempt: AttemptProcess = {
      shim: { ...processes.self(), pid, start_time },
      agentPid: agent_pid,
      exited: exitOf(shim),
    };
    return order.stdinPipe ? { ...attempt, stdin: shim.pipe } : attempt;
  }
  shim.pipe.destroy();
  if (answer.type === "failed")
    return { failed: answer.reason, problem: answer.problem, uncertain: false };
  return { withdrawn: true };
}

async function exitOf(shim: ShimProcess): Promise<AgentExit> {
  const message = await shim.next();
  shim.pipe.destroy();
  if (message?.type !== "exited") return { code: null, signal: null, lost: true };
  return { code: message.code, signal: message.signal };
}
