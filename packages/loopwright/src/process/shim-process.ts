import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { ShimMessage } from "./order.ts";

export interface ShimProgram {
  readonly file: string;
  readonly args: readonly string[];
}

/** A running shim seen from the worker: its pipe, and the messages in the order in which they came. */
export interface ShimProcess {
  /** `false` once its pipe has closed. */
  readonly open: boolean;
  readonly pipe: Socket;
  /** The next message; `undefined` when the pipe closed first. */
  next(): Promise<ShimMessage | undefined>;
}

/** The built product keeps the shim beside whatever bundle this file went into. */
export function defaultShimProgram(): ShimProgram {
  const name = import.meta.url.endsWith(".ts") ? "./shim.ts" : "./shim.mjs";
  return { file: fileURLToPath(new URL(name, import.meta.url)), args: [] };
}

/**
 * Starts a shim that waits for its order. In a session of its own, without a terminal, outside any checkout, with
 * nothing of our environment; it doesn't keep this process alive.
 */
export function startShim(program: ShimProgram): ShimProcess {
  const child = spawn(process.execPath, ["--no-warnings", program.file, ...program.args], {
    cwd: "/",
    detached: true,
    env: shimEnvironment(),
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  // A shim that couldn't be spawned shows as a pipe that closes without a message.
  child.on("error", () => {});
  child.unref();
  const { stdio } = child as Partial<Pick<typeof child, "stdio">>;
  const pipe = stdio?.[3] as Socket | undefined;
  return pipe === undefined
    ? { open: false, pipe: new Socket(), next: nothing }
    : readMessages(pipe);
}

const nothing = (): Promise<undefined> => Promise.resolve(undefined);

function readMessages(pipe: Socket): ShimProcess {
  const arrived: ShimMessage[] = [];
  const waiting: ((message: ShimMessage | undefined) => void)[] = [];
  let open = true;
  let text = "";
  pipe.setEncoding("utf8");
  pipe.on("data", (chunk: string) => {
    const lines = (text + chunk).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as ShimMessage;
      const receiver = waiting.shift();
      if (receiver === undefined) arrived.push(message);
      else receiver(message);
    }
  });
  const close = (): void => {
    open = false;
    pipe.destroy();
    for (const receiver of waiting.splice(0)) receiver(undefined);
  };
  pipe.on("end", close);
  pipe.on("error", close);
  pipe.on("close", close);
  pipe.unref();
  return {
    get open() {
      return open;
    },
    pipe,
    next() {
      const message = arrived.shift();
      if (message !== undefined || !open) return Promise.resolve(message);
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}

/** Nothing but where some builds of node find their libraries, and compiled code where a developer keeps some. */
function shimEnvironment(): NodeJS.ProcessEnv {
  const names = ["LD_LIBRARY_PATH", "NODE_COMPILE_CACHE"];
  return Object.fromEntries(
    names.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : [])),
  );
}
