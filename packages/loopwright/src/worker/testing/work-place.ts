import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { frozenConfiguration, type StopAnswer, type WorkflowTask } from "@loopwright/protocol";
import { createProcesses } from "../../process/processes.ts";
import { systemClock } from "../../seams/clock.ts";
import { createIds } from "../../seams/ids.ts";
import { systemDisk } from "../../store/disk.ts";
import { type IterationLayout, iterationLayout } from "../../store/iteration-layout.ts";

const FAKE_AGENT = fileURLToPath(
  new URL("../../../../../tests/fixtures/fake-agent.mjs", import.meta.url),
);
const SESSION_ID = "20260101T000000Z-0123456789ab";

export const SEAMS = {
  clock: systemClock,
  ids: createIds(systemClock),
  disk: systemDisk,
  processes: createProcesses(),
};

export const STOP: StopAnswer = {
  action: "stop",
  session_id: SESSION_ID,
  status: "stopped",
  stop_reason: "user_stop",
};

export interface WorkPlace {
  readonly root: string;
  readonly checkout: string;
  readonly session: string;
  readonly witness: string;
  /** A task whose agent walks through these steps; each call is the next iteration. */
  task(steps: readonly object[], changes?: TaskChanges): WorkflowTask;
  layout(task: WorkflowTask): IterationLayout;
  witnessed(): { pid: number; attempt: string; stdin_md5: string }[];
  remove(): void;
}

export interface TaskChanges extends Partial<Omit<WorkflowTask, "agent" | "limits">> {
  readonly agent?: Partial<WorkflowTask["agent"]>;
  readonly limits?: Partial<WorkflowTask["limits"]>;
}

/** A repository with one commit, and a session directory of a goal. */
export function makeWorkPlace(): WorkPlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-worker-")));
  const checkout = join(root, "checkout");
  const session = join(root, "goals", "goal", "sessions", SESSION_ID);
  const witness = join(root, "witness");
  mkdirSync(checkout);
  mkdirSync(session, { recursive: true });
  writeFileSync(join(checkout, "a.txt"), "one\n");
  const git = (...args: string[]): unknown =>
    execFileSync("git", args, { cwd: checkout, stdio: "pipe" });
  git("init", "-q", "-b", "trunk");
  git("add", "-A");
  git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "first");
  let iteration = 0;
  return {
    root,
    checkout,
    session,
    witness,
    task(steps, { agent = {}, limits = {}, ...changes } = {}) {
      iteration += 1;
      const plan = join(root, `plan-${iteration}.json`);
      writeFileSync(plan, JSON.stringify({ steps }));
      const taskDirectory = join(
        session,
        "iterations",
        `${String(iteration).padStart(4, "0")}_inner`,
      );
      return {
        action: "run",
        kind: "workflow",
        session_id: SESSION_ID,
        attempt_id: SEAMS.ids.next(),
        epoch: 1,
        session_dir: session,
        task_dir: taskDirectory,
        checkout,
        adopt: false,
        workflow_set: "single",
        workflow_id: "inner",
        iteration,
        goal: "Make it work.",
        preamble: "Check before you trust.",
        prompt_body: "Do one thing, then write {{out}}/report.json.",
        completion_criteria: [],
        stop_criteria: [],
        emits_goal_check: false,
        may_complete: true,
        plans: false,
        agent: {
          ...agentSettings(),
          ...agent,
          env: { ...fakeAgentEnvironment(plan, witness), ...agent.env },
        },
        permissions: "workspace",
        limits: { timeout_ms: 30_000, silence_ms: 30_000, raw_log_cap: 1_000_000, ...limits },
        inputs: [],
        diagnosis: [],
        ...changes,
      };
    },
    layout: (task) => iterationLayout(task.task_dir),
    witnessed() {
      const text = existsSync(witness) ? readFileSync(witness, "utf8").trim() : "";
      return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line));
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function agentSettings(): WorkflowTask["agent"] {
  const configuration = frozenConfiguration.parse({
    goal_file: "goal.md",
    workflow_set: "single",
    default_agent: "fake",
    agents: { fake: { adapter: "command", command: [process.execPath, FAKE_AGENT] } },
  });
  return { ...(configuration.agents["fake"] as WorkflowTask["agent"]), name: "fake" };
}

function fakeAgentEnvironment(plan: string, witness: string): Record<string, string> {
  return { FAKE_AGENT_PLAN: plan, FAKE_AGENT_WITNESS: witness };
}
