import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readProcess } from "../../crash/harness/process-table.ts";
import { until } from "../../crash/harness/wait.ts";
import type { Scratch } from "./scratch.ts";

const SCRIPT = fileURLToPath(new URL("../fixtures/strays.sh", import.meta.url));
const NAMES = ["child", "nameless", "holder", "session", "orphan"];

/** Settings of an agent that leaves strays in `<room>/strays/<iteration>`. */
export function strayAgent(then: "stay" | "exit" | "chatter"): {
  command: string[];
  env: Record<string, string>;
} {
  return {
    command: ["sh", "-c", `exec sh "$STRAYS" "$PWD/../strays/$LOOPWRIGHT_ITERATION" ${then}`],
    env: { STRAYS: SCRIPT },
  };
}

export interface Strays {
  /** Resolves when all of them run. */
  ready(): Promise<void>;
  pids(): number[];
  living(): number[];
  /** Wall milliseconds at which the last of them still did something. */
  lastTick(): number;
}

export function straysOf(scratch: Pick<Scratch, "file">, iteration = 1): Strays {
  const directory = scratch.file("strays", String(iteration));
  const read = (name: string): string => readFileSync(join(directory, name), "utf8");
  const pids = (): number[] => NAMES.map((name) => Number(read(`${name}.pid`)));
  return {
    ready: async () =>
      void (await until("the agent and its strays to run", () =>
        existsSync(join(directory, "ready")),
      )),
    pids,
    living: () => pids().filter((pid) => readProcess(pid) !== undefined),
    lastTick() {
      const files = readdirSync(directory).filter((name) => name.endsWith(".ticks"));
      const ticks = files.flatMap((name) => read(name).trim().split("\n").map(Number));
      return Math.max(...ticks) / 1e6;
    },
  };
}
