import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LoopwrightError, plural } from "@loopwright/protocol";
import { latestArchiveOf } from "../../control-plane/archive/index.ts";
import { stopAttempt } from "../../process/stop-ladder.ts";
import { timestamp } from "../../seams/clock.ts";
import { runtimeLayout } from "../../store/layout.ts";
import { takeLock } from "../../store/lock.ts";
import { listSessions } from "../../store/session-lookup.ts";
import type { Context } from "../context.ts";
import { openSession } from "../open-session.ts";
import { holderOf, loadProjection } from "../../control-plane/projection/index.ts";
import { agentsOf, endStranded, unreadableSession } from "../stranded.ts";
import type { GoalTarget } from "../target.ts";
import { processFindings } from "../verify/process-findings.ts";
import type { Diagnosis } from "./finding.ts";

/** Lock, newest session, leftovers and half-made directories of one goal. */
export function diagnoseGoal(context: Context, target: GoalTarget, takeOver: boolean): Diagnosis[] {
  const what = `goal ${target.goal.id}`;
  const found: Diagnosis[] = [];
  if (!existsSync(target.repository)) {
    found.push({
      state: "problem",
      what,
      finding: `its repository ${target.repository} is gone`,
      hint: "Correct repo in the registry.",
    });
  }
  const here = existsSync(target.layout.goalJson);
  const archived = here
    ? undefined
    : latestArchiveOf(runtimeLayout(target.runtimeRoot), target.goal.id);
  if (archived !== undefined) {
    return [...found, { state: "ok", what, finding: `archived in ${archived.path}` }];
  }
  if (!here) {
    found.push({
      state: "warning",
      what,
      finding: `${target.layout.goalJson} is missing`,
      hint: "Run in its repository: loopwright init",
    });
  }
  try {
    found.push(
      ...diagnoseLock(context, target, what, takeOver),
      ...diagnoseSession(context, target, what),
    );
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    found.push({ state: "problem", what, finding: error.message, hint: error.hint });
    found.push(...diagnoseStranded(context, target, what));
  }
  found.push(...halfMade(context, target, what));
  return found;
}

function diagnoseLock(
  { seams }: Context,
  target: GoalTarget,
  what: string,
  takeOver: boolean,
): Diagnosis[] {
  const { liveness, pid, host } = holderOf(target.layout.lock, seams.processes);
  if (liveness === "none" || liveness === "dead") return [];
  if (liveness === "alive") return [{ state: "ok", what, finding: `run by process ${pid}` }];
  const finding = `its lock is held by process ${pid} on ${host}, of which nothing can be said from here`;
  if (!takeOver) {
    const hint =
      "Look there. If that machine or container is surely gone: loopwright doctor --fix --take-over";
    return [{ state: "problem", what, finding, hint }];
  }
  const fix = async (): Promise<string> => {
    const taken = takeLock(seams.disk, target.layout.lock, seams.processes.self(), {
      liveness: (holder) => seams.processes.liveness(holder),
      at: timestamp(seams.clock),
      purpose: "goal",
      goalId: target.goal.id,
      takeOver: true,
    });
    if (!taken.ok) return "its holder lives after all";
    taken.lock.release();
    return "the lock is free; whoever held it is fenced off";
  };
  return [{ state: "problem", what, finding, fix }];
}

function diagnoseSession(context: Context, target: GoalTarget, what: string): Diagnosis[] {
  const { seams } = context;
  if (listSessions(target.layout.sessions).length === 0)
    return [{ state: "ok", what, finding: "no session yet" }];
  const opened = openSession(target, "latest");
  const { phase } = loadProjection(target.runtimeRoot, target.goal.id, seams);
  const interrupted = phase === "interrupted";
  const found: Diagnosis[] = [
    {
      state: interrupted ? "warning" : "ok",
      what,
      finding: `session ${opened.id} is ${phase}, ${plural(opened.state.iterations, "iteration")}`,
      ...(interrupted ? { hint: "Go on with: loopwright run" } : {}),
    },
  ];
  for (const { where, message } of processFindings(context, target, opened)) {
    const attempt = /attempt (\S+?),/.exec(message)?.[1];
    found.push({
      state: "problem",
      what: where,
      finding: message,
      ...(attempt === undefined ? {} : { fix: () => endAttempt(context, attempt) }),
    });
  }
  return found;
}

function diagnoseStranded(context: Context, target: GoalTarget, what: string): Diagnosis[] {
  const { sessionId } = unreadableSession(target) ?? {};
  const agent = sessionId === undefined ? undefined : agentsOf(context, sessionId)[0];
  if (sessionId === undefined || agent === undefined) return [];
  return [
    {
      state: "problem",
      what,
      finding: `${agent.command} (process ${agent.pid}) still runs for session ${sessionId}, which can't be read`,
      fix: () => endStranded(context, sessionId),
    },
  ];
}

async function endAttempt({ seams }: Context, attempt: string): Promise<string> {
  const { ended, survivors } = await stopAttempt({
    processes: seams.processes,
    clock: seams.clock,
    marker: attempt,
  });
  const gone = `${plural(ended.length, "process", "processes")} ended`;
  return survivors.length === 0
    ? gone
    : `${gone}, ${survivors.length} could not be: ${survivors.map(({ pid }) => pid).join(", ")}`;
}

/** What a crash left before a session existed. Safe to remove while nobody holds the goal. */
function halfMade({ seams }: Context, target: GoalTarget, what: string): Diagnosis[] {
  const { sessions } = target.layout;
  if (!existsSync(sessions)) return [];
  const held = ["alive", "unknown"].includes(
    holderOf(target.layout.lock, seams.processes).liveness,
  );
  return readdirSync(sessions)
    .filter((name) => name.startsWith(".creating-"))
    .map((name) => ({
      state: "warning" as const,
      what,
      finding: `${join(sessions, name)} was never finished`,
      ...(held
        ? {}
        : {
            fix: async () => {
              rmSync(join(sessions, name), { recursive: true, force: true });
              return "removed";
            },
          }),
    }));
}
