import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  frozenConfiguration,
  frozenWorkflow,
  type FrozenWorkflow,
  type Pins,
} from "@loopwright/protocol";
import type { z } from "zod";
import { createProcesses } from "../../process/processes.ts";
import { systemClock } from "../../seams/clock.ts";
import { createIds } from "../../seams/ids.ts";
import { systemDisk } from "../../store/disk.ts";
import { runtimeLayout } from "../../store/layout.ts";
import type { SessionLayout } from "../../store/session-layout.ts";
import { type Coordinator, startCoordinator } from "../coordinator.ts";
import type { Opening } from "../open-session.ts";
import type { Seams } from "../seams.ts";
import type { SessionPlan } from "../session-plan.ts";

export const VERSION = "0.1.0";
export const GOAL = "demo";

export interface PlanChanges {
  readonly goalId?: string;
  readonly workflows?: readonly z.input<typeof frozenWorkflow>[];
  readonly configuration?: Partial<z.input<typeof frozenConfiguration>>;
  readonly checks?: Pins["checks"];
}

/** A runtime root and a work tree of its own, and the coordinators that a test started there. */
export interface Room {
  readonly root: string;
  readonly repository: string;
  readonly seams: Seams;
  plan(changes?: PlanChanges): SessionPlan;
  start(open?: PlanChanges | Opening, seams?: Partial<Seams>): Promise<Coordinator>;
  session(sessionId: string): SessionLayout;
  close(): Promise<void>;
}

export function createRoom(): Room {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "lw-coordinator-")));
  const root = join(directory, "runtime");
  const repository = join(directory, "tree");
  mkdirSync(repository);
  const seams: Seams = {
    clock: systemClock,
    ids: createIds(systemClock),
    disk: systemDisk,
    processes: createProcesses(),
  };
  const started: Coordinator[] = [];
  const plan = (changes: PlanChanges = {}): SessionPlan => planOf(repository, changes);

  return {
    root,
    repository,
    seams,
    plan,
    session: (sessionId) => runtimeLayout(root).goal(GOAL).session(sessionId),
    async start(open = {}, other = {}) {
      const opening: Opening = "kind" in open ? open : { kind: "new", plan: plan(open) };
      const goalId = opening.kind === "new" ? opening.plan.goalId : GOAL;
      const coordinator = await startCoordinator({
        seams: { ...seams, ...other },
        runtimeRoot: root,
        goalId,
        open: opening,
        version: VERSION,
      });
      started.push(coordinator);
      return coordinator;
    },
    async close() {
      await Promise.all(started.map((each) => each.close()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** One workflow that may complete, one agent, no checks, where nothing else is said. */
export function planOf(repository: string, changes: PlanChanges): SessionPlan {
  const workflows: FrozenWorkflow[] = (
    changes.workflows ?? [{ id: "work", prompt: "Work.", may_complete: true }]
  ).map((each) => frozenWorkflow.parse(each));
  return {
    goalId: changes.goalId ?? GOAL,
    goalText: "Make it work.\n",
    title: "Make it work",
    repository,
    baseCommit: "a".repeat(40),
    baseTree: "b".repeat(40),
    workflowSet: "single",
    preamble: "Be careful.",
    configuration: frozenConfiguration.parse({
      goal_file: ".loopwright/goal.md",
      workflow_set: "single",
      agents: { coder: { adapter: "command", command: ["true"] } },
      default_agent: "coder",
      ...changes.configuration,
    }),
    workflows,
    pins: { checks: changes.checks ?? [], files: [], links: [] },
    redBefore: [],
    programVersion: VERSION,
  };
}
