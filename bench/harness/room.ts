import { type ChildProcess, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createProject } from "./project.ts";
import type { Product } from "./product.ts";

/** A project of its own with the bench's agent, a runtime root and a home; removed with the product's directory. */
export interface Room {
  readonly directory: string;
  readonly repository: string;
  readonly environment: NodeJS.ProcessEnv;
  start(
    words: readonly string[],
    how?: readonly string[],
    output?: "ignore" | "pipe",
  ): ChildProcess;
  /** To its end; throws when the exit code is another than one of these. */
  call(words: readonly string[], codes?: readonly number[]): Promise<void>;
  /** The newest session's directory. */
  session(): string;
  /** When the agent started and ended, in wall milliseconds, since the last `forget`. */
  times(): { readonly begun: number; readonly ended: number }[];
  forget(): void;
  /** A file that the agent goes by. */
  set(name: string, text: string): void;
  unset(name: string): void;
  has(name: string): boolean;
}

/** `run` stopped at a limit. */
export const STOPPED = 10;

export async function createRoom(product: Product): Promise<Room> {
  const directory = mkdtempSync(join(product.directory, "room-"));
  const at = (...parts: string[]): string => join(directory, ...parts);
  for (const part of ["repository", "home", "hold", "held"]) mkdirSync(at(part));
  copyFileSync(fileURLToPath(new URL("agent.sh", import.meta.url)), at("agent.sh"));
  createProject(at("repository"), at("agent.sh"));
  const environment = environmentOf(at("home"));

  const room: Room = {
    directory,
    repository: at("repository"),
    environment,
    start: (words, how = product.bundle, output = "ignore") =>
      spawn(process.execPath, [...how, ...words], {
        cwd: at("repository"),
        env: environment,
        stdio: ["ignore", output, "pipe"],
      }),
    async call(words, codes = [0]) {
      const child = room.start(words);
      let said = "";
      child.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
      const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
      if (code === null || !codes.includes(code))
        throw new Error(`loopwright ${words.join(" ")} ended with ${code}: ${said}`);
    },
    session() {
      const sessions = at("runtime", "goals", "bench", "sessions");
      return join(
        sessions,
        readdirSync(sessions)
          .filter((name) => /^\d/.test(name))
          .sort()
          .at(-1) ?? "",
      );
    },
    times() {
      if (!existsSync(at("times"))) return [];
      const lines = readFileSync(at("times"), "utf8").trimEnd().split("\n");
      return lines.map((line) => {
        const [begun = NaN, ended = NaN] = line.split(" ").map((seconds) => Number(seconds) * 1000);
        return { begun, ended };
      });
    },
    forget: () => rmSync(at("times"), { force: true }),
    set: (name, text) => writeFileSync(at(name), text),
    unset: (name) => rmSync(at(name), { force: true }),
    has: (name) => existsSync(at(name)),
  };
  await room.call(["init", "--runtime-root", at("runtime"), "--goal-id", "bench"]);
  return room;
}

/** Nothing of the person's own home, and the compile cache of the published program, not the checkout's. */
function environmentOf(home: string): NodeJS.ProcessEnv {
  return {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: home,
    NO_COLOR: "1",
    LD_LIBRARY_PATH: process.env["LD_LIBRARY_PATH"] ?? "",
  };
}
