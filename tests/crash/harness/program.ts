import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plan } from "../fixtures/faults.ts";
import { builtProgram } from "./built-program.ts";
import { readProcess } from "./process-table.ts";

const INTERPOSER = fileURLToPath(new URL("../fixtures/interposer.ts", import.meta.url));

/** A command of the real command line, running as a process. Its output goes to files, so nothing ties it to us. */
export interface Program {
  readonly pid: number;
  readonly startTime: string;
  /** Exit code, or the signal's name. */
  readonly exited: Promise<number | string>;
  ended(): boolean;
  stdout(): string;
  stderr(): string;
}

export interface Launch {
  readonly directory: string;
  readonly name: string;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly words: readonly string[];
  readonly stdin?: string;
  /** What goes wrong underneath it. */
  readonly plan?: Plan;
}

export function launch({ directory, name, cwd, environment, words, stdin, plan }: Launch): Program {
  const [out, err] = [join(directory, `${name}.out`), join(directory, `${name}.err`)];
  const files = [openSync(out, "w"), openSync(err, "w")] as const;
  const child = spawn(
    process.execPath,
    [...preload(directory, name, plan), builtProgram(), ...words],
    {
      cwd,
      env: environment,
      stdio: [stdin === undefined ? "ignore" : "pipe", ...files],
      detached: true,
    },
  );
  for (const file of files) closeSync(file);
  if (stdin !== undefined) child.stdin?.end(stdin);
  const exited = exitOf(child);
  let ended = false;
  void exited.then(() => (ended = true));
  const pid = child.pid ?? 0;
  return {
    pid,
    startTime: readProcess(pid)?.startTime ?? "",
    exited,
    ended: () => ended,
    stdout: () => readFileSync(out, "utf8"),
    stderr: () => readFileSync(err, "utf8"),
  };
}

function preload(directory: string, name: string, plan: Plan | undefined): string[] {
  if (plan === undefined) return [];
  const path = join(directory, `${name}.plan.json`);
  writeFileSync(path, JSON.stringify(plan));
  const url = pathToFileURL(INTERPOSER);
  url.searchParams.set("plan", path);
  return ["--import", url.href];
}

function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? signal ?? ""));
  });
}
