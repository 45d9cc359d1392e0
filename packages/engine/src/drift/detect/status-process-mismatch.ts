import type { DriftEvidence, DriftFactWarning, Liveness } from "@loopwright/protocol";
import { type AboutGoal, warn } from "./warn.ts";

export interface ObservedProcess {
  readonly role: "coordinator" | "worker" | "agent";
  readonly pid: number;
  readonly liveness: Liveness;
}

export interface ProcessFacts extends AboutGoal {
  readonly sessionId: string;
  /** What the journal says: the session goes on, or it ended (stopped, failed, met). */
  readonly recorded: "running" | "ended";
  /** Those that the session's files name, with what the process table says about them. */
  readonly processes: readonly ObservedProcess[];
}

/** The journal and the process table disagree about whether the session runs. */
export function statusProcessMismatchWarning(facts: ProcessFacts): DriftFactWarning | null {
  return facts.recorded === "running" ? withoutCoordinator(facts) : leftRunning(facts);
}

function withoutCoordinator(facts: ProcessFacts): DriftFactWarning | null {
  const coordinator = facts.processes.findLast(({ role }) => role === "coordinator");
  if (coordinator?.liveness === "alive") return null;
  const unknown = coordinator?.liveness === "unknown";
  const { goalId = "GOAL" } = facts;
  return warn({
    kind: "status_process_mismatch",
    severity: unknown ? "info" : "action",
    reason: unknown
      ? "The session is recorded as running, but whether its coordinator lives can't be told from this machine."
      : "The session is recorded as running, but its coordinator is gone: it was interrupted, nothing is lost.",
    recommended: unknown
      ? `Look on the machine that runs it: loopwright status ${goalId}`
      : `Continue it where it was: loopwright run --goal ${goalId}`,
    evidence: [journalSays(facts), ...facts.processes.map(processSays), ...none(facts)],
  });
}

function leftRunning(facts: ProcessFacts): DriftFactWarning | null {
  const alive = facts.processes.filter(({ liveness }) => liveness === "alive");
  if (alive.length === 0) return null;
  const agent = alive.some(({ role }) => role === "agent");
  return warn({
    kind: "status_process_mismatch",
    severity: agent ? "action" : "watch",
    reason: agent
      ? "The session ended, but an agent that it started is still running and may change files."
      : "The session ended, but one of its own processes is still running.",
    recommended: `End what was left running: ${alive.map(({ pid }) => `kill ${pid}`).join("; ")}`,
    evidence: [journalSays(facts), ...alive.map(processSays)],
  });
}

function journalSays({ sessionId, recorded }: ProcessFacts): DriftEvidence {
  return {
    source: "journal.jsonl",
    says: `session ${sessionId} ${recorded === "running" ? "is running" : "has ended"}`,
  };
}

function processSays({ role, pid, liveness }: ObservedProcess): DriftEvidence {
  const says = { alive: "is alive", dead: "is dead", unknown: "belongs to another machine" };
  return { source: "processes", says: `${role} ${pid} ${says[liveness]}` };
}

function none({ processes }: ProcessFacts): DriftEvidence[] {
  return processes.length > 0 ? [] : [{ source: "processes", says: "no process is recorded" }];
}
