import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plan } from "../fixtures/faults.ts";
import { CACHE } from "./built-program.ts";
import { listProcesses, type Row, signalProcess } from "./process-table.ts";
import { launch, type Program } from "./program.ts";
import { projectFiles, type ProjectOptions } from "./project-files.ts";
import { type Session, sessionAt } from "./session.ts";
import { until } from "./wait.ts";

const AGENT = fileURLToPath(new URL("../fixtures/agent.sh", import.meta.url));
/** Shared by all rooms: without it each of the many starts would take half as long again. */
const COMPILED = join(CACHE, "compiled");
export const GOAL = "crash-goal";

export type Role = "run" | "coordinator" | "worker";

export interface StartOptions {
  readonly plan?: Plan;
  readonly stdin?: string;
  readonly cwd?: string;
}

/** A scratch repository, a runtime root and an agent's room in one temporary directory, and all that runs for them. */
export interface Room {
  readonly directory: string;
  readonly repository: string;
  readonly runtimeRoot: string;
  readonly agentRoom: string;
  /** A command of the command line, given in the repository. */
  start(words: readonly string[], options?: StartOptions): Program;
  /** The same, to its end. */
  call(
    words: readonly string[],
    options?: StartOptions,
  ): Promise<{ code: number | string; stdout: string; stderr: string }>;
  /** The newest session; undefined before the first. */
  session(): Session | undefined;
  /** A switch of the agent: its file is there or not. */
  set(name: "hold" | "finish" | "claims" | "litter" | "pace", value: boolean | string): void;
  /** Everything that runs for this room, by what its environment or arguments say. */
  processes(): Row[];
  withRole(role: Role): Row[];
  /** Ends all that still runs, by pid, and removes the directory. */
  close(): Promise<void>;
}

export async function createRoom(
  options: Partial<Pick<ProjectOptions, "set" | "steady" | "limits">> & {
    /** Where repository and runtime root go, if not beside the rest. */
    readonly disk?: string;
  } = {},
): Promise<Room> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-crash-")));
  const at = (...parts: string[]): string => join(directory, ...parts);
  const repository = join(options.disk ?? directory, "repository");
  const runtimeRoot = join(options.disk ?? directory, "runtime");
  const agentRoom = at("agent");
  for (const path of [
    repository,
    agentRoom,
    at("agent", "live"),
    at("home"),
    at("programs"),
    COMPILED,
  ])
    mkdirSync(path, { recursive: true });
  symlinkSync(COMPILED, at("home", "compiled"));
  const { set = "single", steady = false, limits = {} } = options;
  makeRepository(
    repository,
    projectFiles({ set, steady, limits, agent: ["/bin/sh", AGENT], agentRoom }),
  );
  const environment = environmentOf(at("home"));
  let count = 0;
  let session: Session | undefined;

  const room: Room = {
    directory,
    repository,
    runtimeRoot,
    agentRoom,
    start(words, { plan, stdin, cwd = repository } = {}) {
      count += 1;
      const name = `${String(count).padStart(4, "0")}-${words[0] ?? ""}`;
      const given = {
        ...(plan === undefined ? {} : { plan }),
        ...(stdin === undefined ? {} : { stdin }),
      };
      return launch({ directory: at("programs"), name, cwd, environment, words, ...given });
    },
    async call(words, given) {
      const program = room.start(words, given);
      const code = await program.exited;
      return { code, stdout: program.stdout(), stderr: program.stderr() };
    },
    session() {
      const found = newestSession(join(runtimeRoot, "goals", GOAL, "sessions"));
      if (found !== undefined && found !== session?.directory) session = sessionAt(found);
      return session;
    },
    set(name, value) {
      if (value === false) rmSync(join(agentRoom, name), { force: true });
      else writeFileSync(join(agentRoom, name), value === true ? "" : `${value}\n`);
    },
    processes: () =>
      listProcesses().filter((row) => row.pid !== process.pid && belongs(row, directory)),
    withRole: (role) => room.processes().filter((row) => roleOf(row) === role),
    async close() {
      await until("the room's processes to end", () => {
        const rows = room.processes();
        for (const row of rows) signalProcess(row, "SIGKILL");
        return rows.length === 0;
      });
      rmSync(directory, { recursive: true, force: true });
    },
  };
  const made = await room.call(["init", "--runtime-root", room.runtimeRoot, "--goal-id", GOAL]);
  if (made.code !== 0) throw new Error(`init failed: ${made.stderr}`);
  return room;
}

function makeRepository(repository: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  const git = (...words: string[]): unknown =>
    execFileSync("git", words, { cwd: repository, stdio: ["ignore", "ignore", "pipe"] });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git(
    "-c",
    "user.name=Test",
    "-c",
    "user.email=test@localhost",
    "commit",
    "--quiet",
    "-m",
    "Start",
  );
}

/** Its own home; the room's path in it marks every process of the room, shims included (they inherit the last one). */
function environmentOf(home: string): NodeJS.ProcessEnv {
  return {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: home,
    NO_COLOR: "1",
    LD_LIBRARY_PATH: process.env["LD_LIBRARY_PATH"] ?? "",
    NODE_COMPILE_CACHE: join(home, "compiled"),
  };
}

function belongs({ environment, arguments: words }: Row, directory: string): boolean {
  return (
    environment.includes(`${directory}/`) || words.some((word) => word.includes(`${directory}/`))
  );
}

export function roleOf({ arguments: words }: Row): string | undefined {
  const main = words.findIndex((word) => word.endsWith("/main.mjs"));
  return main < 0 ? undefined : words[main + 1];
}

function newestSession(directory: string): string | undefined {
  if (!existsSync(directory)) return undefined;
  const newest = readdirSync(directory)
    .filter((name) => /^\d{8}T/.test(name))
    .sort()
    .at(-1);
  return newest === undefined ? undefined : join(directory, newest);
}

/** JSON lines of the agent's witness. */
export interface Witnessed {
  readonly event: "start" | "end";
  readonly pid: number;
  readonly start_time: string;
  readonly attempt: string;
  readonly iteration: number;
  readonly workflow: string;
  /** Agents that were alive at this start. */
  readonly alive?: string;
  readonly code?: number;
}

export function readWitness({ agentRoom }: Pick<Room, "agentRoom">): Witnessed[] {
  const path = join(agentRoom, "witness");
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Witnessed);
}
