import { hash } from "node:crypto";
import { closeSync } from "node:fs";
import { join } from "node:path";
import {
  checksTamperedWarning,
  portLeftOpenWarning,
  stateEditedByHandWarning,
  statusProcessMismatchWarning,
} from "@loopwright/engine";
import type { DriftFactWarning, JournalLine, SessionFile } from "@loopwright/protocol";
import type { Processes } from "../../process/processes.ts";
import { openWithoutBlocking, readUpTo } from "../../store/regular-file.ts";
import type { Holder } from "../projection/holder.ts";
import type { ReadSession } from "../session/read-session.ts";

export interface SessionDriftFacts {
  readonly goalId: string;
  readonly session: Pick<ReadSession, "session" | "lines" | "state">;
  readonly coordinator: Holder;
  /** Of `ACTIVE_STATE.md`; null when there is none. */
  readonly stateDigest: string | null;
  readonly processes: Pick<Processes, "marked" | "listening" | "info">;
}

/** How many attempts back a process is still looked for: each look reads the process table once. */
const LOOK_BACK = 5;
/** A pinned file isn't larger; one that is has been tampered with. */
const LARGEST = 64 * 1024 * 1024;

/** Where a session's own records disagree with processes, files and pins, as they are at this moment. */
export function sessionDrift(facts: SessionDriftFacts): DriftFactWarning[] {
  return [processes(facts), pins(facts), ports(facts), edits(facts)].filter(
    (warning) => warning !== null,
  );
}

function processes({ goalId, session, coordinator, processes: table }: SessionDriftFacts) {
  const { state, lines } = session;
  const { liveness, pid } = coordinator;
  // A pause holds without anybody running.
  if (state.status === "running" && state.paused !== null) return null;
  const running = state.status === "running";
  const agents = running
    ? []
    : attemptsOf(lines)
        .slice(-LOOK_BACK)
        .flatMap((id) => table.marked(id));
  return statusProcessMismatchWarning({
    goalId,
    sessionId: state.session_id,
    recorded: running ? "running" : "ended",
    processes: running
      ? pid === undefined || liveness === "none"
        ? []
        : [{ role: "coordinator", pid, liveness }]
      : agents.map((agent) => ({ role: "agent", pid: agent.pid, liveness: "alive" as const })),
  });
}

function pins({ goalId, session: { session } }: SessionDriftFacts) {
  return checksTamperedWarning({
    goalId,
    files: session.pins.files.map(({ path, sha256 }) => ({
      path,
      pinned: sha256,
      actual: digestAt(session, path),
    })),
  });
}

function digestAt({ repository }: SessionFile, path: string): string | null {
  try {
    const { fd, stats } = openWithoutBlocking(join(repository, path), { followLinks: false });
    try {
      return stats.isFile() ? hash("sha256", readUpTo(fd, Math.min(stats.size, LARGEST))) : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

function ports({ goalId, session: { lines }, processes: table }: SessionDriftFacts) {
  const left = lines
    .flatMap(({ records }) => records)
    .flatMap(({ type, data }) =>
      type === "task_finished"
        ? data.leftovers.map((leftover) => ({ ...leftover, iteration: data.iteration }))
        : [],
    )
    .filter((leftover) => !leftover.ended && leftover.ports.length > 0);
  if (left.length === 0) return null;
  const listening = table.listening(left.map(({ pid }) => pid));
  const held = left.flatMap(({ pid, command, iteration, ports: theirs }) => {
    // The number may be another process's by now.
    const now = table.info(pid)?.command;
    const same = now !== undefined && now.slice(0, 40) === command.slice(0, 40);
    return listening
      .filter((socket) => same && socket.pid === pid && theirs.includes(socket.port))
      .map(({ port }) => ({ port, pid, command, iteration }));
  });
  return portLeftOpenWarning({ goalId, held });
}

function edits({ goalId, session: { lines }, stateDigest }: SessionDriftFacts) {
  const moved = lines
    .flatMap(({ records }) => records)
    .findLast((record) => record.type === "next_action_moved")?.data;
  if (moved === undefined) return null;
  return stateEditedByHandWarning({
    file: "ACTIVE_STATE.md",
    expectedDigests: [moved.to_sha256],
    actualDigest: stateDigest,
    goalId,
  });
}

function attemptsOf(lines: readonly JournalLine[]): string[] {
  return lines
    .flatMap(({ records }) => records)
    .flatMap(({ type, data }) =>
      type === "task_assigned" || type === "verification_started" ? [data.attempt_id] : [],
    );
}
