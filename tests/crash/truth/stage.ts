import { execFileSync, type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Result, WorkerAnswer, WorkflowTask } from "@loopwright/protocol";
import {
  type Sleeper,
  startSleeper,
} from "../../../packages/loopwright/src/coordinator/testing/processes.ts";
import { createRoom, GOAL } from "../../../packages/loopwright/src/coordinator/testing/room.ts";
import {
  createScriptedWorker,
  resultOf,
  send,
} from "../../../packages/loopwright/src/coordinator/testing/scripted-worker.ts";

const PROGRAM = fileURLToPath(
  new URL(
    "../../../packages/loopwright/src/coordinator/testing/coordinator-process.ts",
    import.meta.url,
  ),
);

interface Served {
  readonly url: string;
  readonly workerToken: string;
  readonly peopleToken: string;
  readonly sessionId: string;
}

interface Program {
  readonly child: ChildProcess;
  next(): Promise<Partial<Served>>;
}

/** A goal with real coordinators and, as its worker, a process that a test ends when it likes. */
export class Stage {
  readonly room = createRoom();
  readonly goal: string;
  #program: Program | undefined;
  #served: Served | undefined;
  #worker: Sleeper | undefined;
  #task: WorkflowTask | undefined;

  constructor() {
    this.goal = join(this.room.root, "goals", GOAL);
    this.makeRepository();
  }

  makeRepository(): void {
    execFileSync("git", ["init", "-q", "-b", "main"], { cwd: this.room.repository });
  }

  get isServed(): boolean {
    return this.#served !== undefined;
  }

  /** Goes on with the newest session, or begins one. */
  async coordinate(sessionId: string | undefined): Promise<void> {
    if (this.#served !== undefined) return;
    this.#program ??= await this.#spawn();
    this.#program.child.stdin?.write(`start ${sessionId ?? ""}`.trimEnd() + "\n");
    const said = await this.#program.next();
    this.#served = said.url === undefined ? undefined : (said as Served);
  }

  async killCoordinator(): Promise<void> {
    const program = this.#program;
    [this.#program, this.#served] = [undefined, undefined];
    if (program === undefined) return;
    program.child.kill("SIGKILL");
    await once(program.child, "exit");
  }

  async closeCoordinator(): Promise<void> {
    if (this.#served === undefined) return;
    this.#served = undefined;
    this.#program?.child.stdin?.write("close\n");
    await this.#program?.next();
  }

  /** The worker, or a new one where it is dead, comes for a task. Not to be asked where none would be given. */
  async takeTask(): Promise<void> {
    if (this.#served === undefined) return;
    this.#worker ??= await startSleeper(this.room.seams.processes);
    this.#take(await this.#scripted(this.#served, this.#worker).register());
  }

  async finishTask(): Promise<void> {
    const [served, worker, task] = [this.#served, this.#worker, this.#task];
    if (served === undefined || worker === undefined || task === undefined) return;
    const branch = this.branch();
    const changes = { ...resultOf(task).changes, branch_after: branch } as Result["changes"];
    this.#take(await this.#scripted(served, worker).finish(task, { changes }));
  }

  async killWorker(): Promise<void> {
    await this.#worker?.end();
    [this.#worker, this.#task] = [undefined, undefined];
  }

  async order(what: "pause" | "resume" | "stop"): Promise<void> {
    if (this.#served === undefined) return;
    const { url, peopleToken: token } = this.#served;
    await send(`${url}/goals/${GOAL}/${what}`, { token, body: {} });
    if (what === "stop" && this.#task === undefined) await this.#end();
  }

  branch(): string | null {
    if (!existsSync(join(this.room.repository, ".git"))) return null;
    const words = ["symbolic-ref", "--short", "HEAD"];
    return execFileSync("git", words, { cwd: this.room.repository, encoding: "utf8" }).trim();
  }

  async close(): Promise<void> {
    await this.killCoordinator();
    await this.killWorker();
    await this.room.close();
  }

  #take({ status, body }: { status: number; body: unknown }): void {
    const answer = body as WorkerAnswer;
    this.#task = status === 200 && answer.action === "run" ? (answer as WorkflowTask) : undefined;
    if (status === 200 && answer.action === "stop") void this.#end();
  }

  /** Its coordinator says how the session ended, and answers nobody any more. */
  async #end(): Promise<void> {
    if (this.#served === undefined) return;
    this.#served = undefined;
    this.#program?.child.stdin?.write("close\n");
    await this.#program?.next();
  }

  #scripted(served: Served, worker: Sleeper): ReturnType<typeof createScriptedWorker> {
    return createScriptedWorker(served, worker.identity, this.room.repository);
  }

  async #spawn(): Promise<Program> {
    const { root, repository } = this.room;
    const words = ["--conditions=loopwright-source", PROGRAM, root, repository];
    const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    // Nothing more comes from one that was killed.
    const next = async (): Promise<Partial<Served>> => {
      const line = await lines.next();
      return line.done === true ? {} : (JSON.parse(line.value) as Partial<Served>);
    };
    await next();
    return { child, next };
  }
}
