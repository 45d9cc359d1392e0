import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import {
  type FinishedIteration,
  type FinishedVerification,
  type ProblemBody,
  type ProcessIdentity,
  type Receipt,
  type Result,
  type VerificationTask,
  type WorkerAnswer,
  type WorkflowTask,
} from "@loopwright/protocol";
import type { Coordinator } from "../coordinator.ts";
import { VERSION } from "./room.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: unknown;
}

/** A worker that does what a test says, over real HTTP. */
export interface ScriptedWorker {
  readonly identity: ProcessIdentity;
  register(changes?: object): Promise<Reply>;
  /** Registers and expects a task. */
  task(): Promise<WorkflowTask | VerificationTask>;
  finish(task: WorkflowTask, changes?: Partial<Result>, envelope?: object): Promise<Reply>;
  verify(
    task: VerificationTask,
    outcomes: Record<string, "pass" | "fail" | "error">,
    tree?: string,
  ): Promise<Reply>;
  post(path: string, body: unknown, options?: PostOptions): Promise<Reply>;
}

export interface PostOptions {
  readonly method?: string;
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
  readonly raw?: string | Buffer;
  readonly signal?: AbortSignal;
}

export function createScriptedWorker(
  coordinator: Pick<Coordinator, "url" | "workerToken">,
  identity: ProcessIdentity,
  repository: string,
): ScriptedWorker {
  const post = (path: string, body: unknown, options: PostOptions = {}): Promise<Reply> =>
    send(coordinator.url + path, { token: coordinator.workerToken, body, ...options });
  const envelope = { protocol: 1, program_version: VERSION, worker: identity };
  const register = (changes: object = {}, options: PostOptions = {}): Promise<Reply> =>
    post("/register", { ...envelope, repo: { root: repository, head: null }, ...changes }, options);
  return {
    identity,
    register,
    async task() {
      const { status, body } = await register();
      if (status !== 200 || (body as WorkerAnswer).action !== "run")
        throw new Error(`No task: ${status} ${JSON.stringify(body)}`);
      return body as WorkflowTask | VerificationTask;
    },
    finish(task, changes = {}, more = {}) {
      const report: FinishedIteration = {
        ...envelope,
        ...resultOf(task, changes),
        epoch: task.epoch,
        result_sha256: "c".repeat(64),
      };
      return post("/finished", { ...report, ...more });
    },
    verify(task, outcomes, tree) {
      const report: FinishedVerification = {
        ...envelope,
        epoch: task.epoch,
        session_id: task.session_id,
        attempt_id: task.attempt_id,
        receipt: receiptOf(task, outcomes, tree),
      };
      return post("/finished", report);
    },
    post,
  };
}

const AT = "2025-01-01T00:00:00.000Z";

export function resultOf(task: WorkflowTask, changes: Partial<Result> = {}): Result {
  return {
    schema_version: 1,
    session_id: task.session_id,
    iteration: task.iteration,
    workflow_id: task.workflow_id,
    attempt_id: task.attempt_id,
    outcome: "ok",
    orderly: true,
    started: true,
    denials: 0,
    text: "done",
    agent: task.agent.name,
    agent_version: null,
    agent_session_id: null,
    exit: { code: 0, signal: null },
    usage: null,
    cost_usd: 0,
    reset_at: null,
    started_at: AT,
    finished_at: AT,
    duration_ms: 10,
    report: {
      state: "valid",
      value: {
        schema_version: 1,
        attempt_id: task.attempt_id,
        summary: `Iteration ${task.iteration} did its part.`,
        evidence: [],
        blockers: [],
        learned: [],
        inputs: [],
        questions: [],
        todos_done: [],
        todos_add: [],
      },
    },
    goal_check: { state: "absent" },
    control: { state: "absent" },
    child_requests: [],
    changes: {
      head_before: null,
      head_after: null,
      branch_before: null,
      branch_after: null,
      tree_digest_before: null,
      tree_digest: createHash("sha1").update(task.attempt_id).digest("hex"),
      files_changed: 1,
      insertions: 1,
      deletions: 0,
    },
    leftovers: [],
    ...changes,
  };
}

export function claimOf(task: { attempt_id: string }): Result["control"] {
  const value = {
    schema_version: 1 as const,
    attempt_id: task.attempt_id,
    state: "stopped" as const,
    stop_reason: "goal_met" as const,
    reason: "All works.",
    attempted_routes: [],
  };
  return { state: "valid", value };
}

export function receiptOf(
  task: VerificationTask,
  outcomes: Record<string, "pass" | "fail" | "error">,
  tree = "d".repeat(40),
): Receipt {
  const checks = task.pins.checks.map(({ id, sha256, required }) => ({
    id,
    sha256,
    required,
    outcome: outcomes[id] ?? ("pass" as const),
    exit_code: 0,
    signal: null,
    duration_ms: 1,
    detail: "",
    output: null,
  }));
  const all = checks.map(({ outcome }) => outcome);
  const outcome = all.includes("error") ? "error" : all.includes("fail") ? "fail" : "pass";
  return {
    schema_version: 1,
    session_id: task.session_id,
    attempt_id: task.attempt_id,
    kind: task.verification,
    commit: null,
    tree_digest: tree,
    checks,
    replaced: [],
    tree_changed: false,
    leftovers: [],
    outcome,
    reused: null,
    started_at: AT,
    finished_at: AT,
  };
}

/** Writes files of a task's directory, as a worker or a shim would have left them. */
export function leave(task: { task_dir: string }, files: Record<string, unknown>): void {
  mkdirSync(task.task_dir, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(
      join(task.task_dir, name),
      typeof content === "string" ? content : JSON.stringify(content),
    );
  }
}

interface Sending extends PostOptions {
  readonly body?: unknown;
}

/** One request on a connection of its own. */
export function send(
  url: string,
  { method = "POST", token, headers = {}, raw, body, signal }: Sending,
): Promise<Reply> {
  const text = raw ?? (body === undefined ? "" : JSON.stringify(body));
  const all: Record<string, string> = {
    ...(text.length > 0
      ? { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) }
      : {}),
    ...(token == null ? {} : { authorization: `Bearer ${token}` }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      url,
      { method, headers: all, agent: false, ...(signal === undefined ? {} : { signal }) },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const said = Buffer.concat(chunks).toString();
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: said === "" ? undefined : (JSON.parse(said) as ProblemBody),
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}
