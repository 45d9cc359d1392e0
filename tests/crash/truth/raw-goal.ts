import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Entry, readJournal } from "../harness/journal.ts";
import { readProcess } from "../harness/process-table.ts";

/** What must be shown of a goal, from raw files, `/proc` and git, without the product's code. */
export interface RawGoal {
  readonly sessions: number;
  /** Null: there is none, or its journal isn't as the format says. */
  readonly session: RawSession | null;
  readonly phase: string | null;
  readonly coordinator: number | null;
  readonly next_action: string | null;
  readonly latest_run: string | null;
  /** The checkout is on another branch than the last iteration left it on. */
  readonly switched: boolean;
  readonly damaged: boolean;
}

interface RawSession {
  readonly id: string;
  readonly seq: number;
  readonly status: string;
  readonly stop_reason: string | null;
  readonly iterations: number;
  readonly attempt: string | null;
  readonly paused: string | null;
}

interface Folded extends RawSession {
  readonly seat: Identity | null;
  readonly left: string | null | undefined;
}

interface Identity {
  readonly pid: number;
  readonly start_time: string;
}

export function rawGoal(goal: string, repository: string): RawGoal {
  const sessions = namesIn(join(goal, "sessions")).filter((name) => /^\d{8}T/.test(name));
  const newest = sessions.sort(byAge).at(-1);
  const folded = newest === undefined ? null : foldSession(join(goal, "sessions", newest), newest);
  const coordinator = coordinatorOf(goal);
  const branch = branchOf(repository);
  const { seat = null, left, ...session } = folded ?? {};
  return {
    sessions: sessions.length,
    session: folded === null ? null : (session as RawSession),
    phase: folded === null ? null : phaseOf(folded, coordinator !== null, isAlive(seat)),
    coordinator: newest === undefined ? null : coordinator,
    next_action: nextActionOf(join(goal, "ACTIVE_STATE.md")),
    latest_run: latestRunOf(join(goal, "runs.jsonl")),
    switched: left !== undefined && branch !== undefined && branch !== left,
    damaged: newest !== undefined && folded === null,
  };
}

function foldSession(directory: string, id: string): Folded | null {
  const path = join(directory, "journal.jsonl");
  if (!existsSync(path) || !existsSync(join(directory, "session.json"))) return null;
  const { lines, faults } = readJournal(path);
  if (faults.length > 0 || lines.length === 0) return null;
  const start: Folded = {
    id,
    seq: lines.length,
    status: "running",
    stop_reason: null,
    iterations: 0,
    attempt: null,
    paused: null,
    seat: null,
    left: undefined,
  };
  return lines.flatMap(({ records }) => records).reduce(foldRecord, start);
}

function foldRecord(state: Folded, { type, data }: Entry): Folded {
  switch (type) {
    case "task_assigned":
      return { ...state, attempt: data["attempt_id"] as string };
    case "task_finished": {
      const changes = data["changes"] as { branch_after: string | null } | null;
      const left = changes === null ? state.left : changes.branch_after;
      return { ...state, attempt: null, iterations: data["iteration"] as number, left };
    }
    case "task_abandoned":
      return { ...state, attempt: null, iterations: data["iteration"] as number };
    case "task_withdrawn":
      return { ...state, attempt: null };
    case "worker_seated":
      return { ...state, seat: data["identity"] as Identity };
    case "paused":
      return { ...state, paused: data["reason"] as string };
    case "resumed":
      return { ...state, paused: null };
    case "session_stopped":
      return {
        ...state,
        status: data["status"] as string,
        stop_reason: data["stop_reason"] as string,
      };
    case "session_reopened":
      return { ...state, status: "running", stop_reason: null };
    default:
      return state;
  }
}

function phaseOf(session: Folded, coordinated: boolean, worked: boolean): string {
  if (session.status !== "running") return "ended";
  if (session.paused !== null && session.attempt === null) return "paused";
  if (!coordinated) return "interrupted";
  if (session.attempt === null) return "starting";
  return worked ? "executing" : "recovering";
}

function coordinatorOf(goal: string): number | null {
  const names = namesIn(join(goal, "locks"));
  const epochs = names.flatMap((name) => /^coordinator\.(\d+)$/.exec(name)?.[1] ?? []).map(Number);
  const highest = Math.max(0, ...epochs);
  if (highest === 0 || names.includes(`coordinator.${highest}.released`)) return null;
  const text = readFileSync(join(goal, "locks", `coordinator.${highest}`), "utf8");
  const { holder } = JSON.parse(text) as { holder: Identity };
  return isAlive(holder) ? holder.pid : null;
}

function isAlive(identity: Identity | null): boolean {
  return identity !== null && readProcess(identity.pid)?.startTime === identity.start_time;
}

/** Undefined: there is no repository that could tell. */
function branchOf(repository: string): string | undefined {
  if (!existsSync(join(repository, ".git"))) return undefined;
  return execFileSync("git", ["symbolic-ref", "--short", "HEAD"], {
    cwd: repository,
    encoding: "utf8",
  }).trim();
}

function nextActionOf(path: string): string | null {
  if (!existsSync(path)) return null;
  const after = readFileSync(path, "utf8").split("## Next Action\n")[1] ?? "";
  return /^\s*- (.+)/.exec(after.split("## ")[0] ?? "")?.[1] ?? null;
}

function latestRunOf(path: string): string | null {
  if (!existsSync(path)) return null;
  for (const line of readFileSync(path, "utf8").split("\n").toReversed()) {
    const id = /^\{.*"run_id":"([^"]+)".*\}$/.exec(line)?.[1];
    if (id !== undefined) return id;
  }
  return null;
}

function byAge(a: string, b: string): number {
  const key = (id: string): string => id.replace(/\d+/g, (digits) => digits.padStart(12, "0"));
  return key(a) < key(b) ? -1 : 1;
}

function namesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}
