import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { listProcesses, type Row, signalProcess } from "../../crash/harness/process-table.ts";
import { launch, type Program } from "../../crash/harness/program.ts";
import { roleOf } from "../../crash/harness/room.ts";
import { type Session, sessionAt } from "../../crash/harness/session.ts";
import { until } from "../../crash/harness/wait.ts";
import { type ProjectOptions, projectFiles } from "./project.ts";
import type { AgentPlan } from "./steps.ts";

/** Compiled sources, shared by all: without it each start would take twice as long. */
const COMPILED = fileURLToPath(new URL("../../../node_modules/.cache/e2e-tests", import.meta.url));
export const GOAL = "scratch-goal";

export interface Called {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** One line of the fake agent's witness. */
export interface Witnessed {
  readonly pid: number;
  readonly session: string;
  readonly iteration: number;
  readonly workflow: string;
  readonly attempt: string;
  readonly stdin_md5: string;
}

/** A repository, a runtime root and a home in one temporary directory, and everything that runs for them. */
export interface Scratch {
  readonly directory: string;
  readonly repository: string;
  readonly runtimeRoot: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `file(...)`: below the temporary directory. `source(...)`: below the repository. */
  file(...parts: string[]): string;
  source(...parts: string[]): string;
  /** Writes below the repository, with the directories that it needs; what begins with `#!` can be run. */
  write(path: string, text: string): void;
  git(...words: string[]): string;
  /** What the fake agent does from now on. */
  plan(plan: AgentPlan): void;
  start(words: readonly string[], options?: CallOptions): Program;
  call(words: readonly string[], options?: CallOptions): Promise<Called>;
  /** The goal's newest session. Throws when there is none. */
  session(): Session;
  sessions(): string[];
  witnessed(): Witnessed[];
  /** Processes whose environment or arguments name this room. */
  processes(): Row[];
  withRole(role: "coordinator" | "worker" | "run"): Row[];
  close(): Promise<void>;
}

export interface ScratchOptions extends ProjectOptions {
  readonly plan?: AgentPlan;
  /** Default true: `init` registers the goal. */
  readonly register?: boolean;
  /** Default true: everything is committed. */
  readonly commit?: boolean;
}

export async function createScratch({
  plan,
  register = true,
  commit = true,
  ...project
}: ScratchOptions = {}): Promise<Scratch> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-e2e-")));
  const file = (...parts: string[]): string => join(directory, ...parts);
  const [repository, home] = [file("repository"), file("home")];
  for (const path of [repository, home, file("programs"), COMPILED])
    mkdirSync(path, { recursive: true });
  const place = { plan: file("plan.json"), witness: file("witness.jsonl") };
  const sessionsDirectory = file("runtime", "goals", GOAL, "sessions");
  let count = 0;

  const scratch: Scratch = {
    directory,
    repository,
    home,
    environment: environmentOf(home),
    runtimeRoot: file("runtime"),
    file,
    source: (...parts) => join(repository, ...parts),
    write(path, text) {
      mkdirSync(dirname(join(repository, path)), { recursive: true });
      writeFileSync(join(repository, path), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
    },
    git: (...words) =>
      execFileSync("git", words, {
        cwd: repository,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      }),
    plan: (next) => writeFileSync(place.plan, JSON.stringify(next)),
    start(words, { cwd = repository, environment = {}, stdin } = {}) {
      count += 1;
      const name = `${String(count).padStart(3, "0")}-${(words[0] ?? "").replaceAll(/\W/g, "_")}`;
      const given = stdin === undefined ? {} : { stdin };
      return launch({
        directory: file("programs"),
        name,
        cwd,
        environment: { ...scratch.environment, ...environment },
        words,
        ...given,
      });
    },
    async call(words, options) {
      const program = scratch.start(words, options);
      const code = await program.exited;
      return { code, stdout: program.stdout(), stderr: program.stderr() };
    },
    session() {
      const newest = scratch.sessions().at(-1);
      if (newest === undefined) throw new Error("There is no session.");
      return sessionAt(join(sessionsDirectory, newest));
    },
    sessions: () =>
      existsSync(sessionsDirectory)
        ? readdirSync(sessionsDirectory)
            .filter((name) => /^\d{8}T/.test(name))
            .sort()
        : [],
    witnessed() {
      if (!existsSync(place.witness)) return [];
      return readFileSync(place.witness, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Witnessed);
    },
    processes: () =>
      listProcesses().filter((row) => row.pid !== process.pid && belongs(row, directory)),
    withRole: (role) => scratch.processes().filter((row) => roleOf(row) === role),
    async close() {
      await until("everything of the test to end", () => {
        const rows = scratch.processes();
        for (const row of rows) signalProcess(row, "SIGKILL");
        return rows.length === 0;
      });
      rmSync(directory, { recursive: true, force: true });
    },
  };
  for (const [path, text] of Object.entries(projectFiles({ ...project, ...place })))
    scratch.write(path, text);
  scratch.plan(plan ?? {});
  scratch.git("init", "--quiet", "--initial-branch=main");
  if (commit) commitAll(scratch);
  if (register) {
    const made = await scratch.call([
      "init",
      "--runtime-root",
      scratch.runtimeRoot,
      "--goal-id",
      GOAL,
    ]);
    if (made.code !== 0) throw new Error(`init failed: ${made.stderr}`);
  }
  return scratch;
}

export function commitAll(scratch: Pick<Scratch, "git">): void {
  scratch.git("add", "--all");
  scratch.git(
    "-c",
    "user.name=Test",
    "-c",
    "user.email=test@localhost",
    "commit",
    "--quiet",
    "--allow-empty",
    "-m",
    "Start",
  );
}

/** A home of its own: the room's path in it marks every process of the room. */
function environmentOf(home: string): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: home,
    LD_LIBRARY_PATH: process.env["LD_LIBRARY_PATH"] ?? "",
    NODE_COMPILE_CACHE: COMPILED,
  };
}

function belongs({ environment, arguments: words }: Row, directory: string): boolean {
  return (
    environment.includes(`${directory}/`) || words.some((word) => word.includes(`${directory}/`))
  );
}
