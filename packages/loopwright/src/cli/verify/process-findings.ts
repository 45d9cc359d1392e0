import { discoveryFile } from "@loopwright/protocol";
import { readJsonIfPresent } from "../../store/read.ts";
import { readLock } from "../../store/lock.ts";
import type { Context } from "../context.ts";
import type { OpenedSession } from "../open-session.ts";
import type { GoalTarget } from "../target.ts";
import type { Finding } from "./finding.ts";

/** How many attempts back a process is still looked for. Each look reads the process table once. */
const LOOK_BACK = 10;

/** Compares who should run with who does. */
export function processFindings(
  { seams }: Context,
  target: GoalTarget,
  opened: OpenedSession,
): Finding[] {
  const { state, lines, layout } = opened;
  const { processes } = seams;
  const findings: Finding[] = [];
  const live = state.status === "running" ? state.task?.attempt_id : undefined;
  for (const attempt of attemptsOf(lines).slice(-LOOK_BACK)) {
    if (attempt === live) continue;
    for (const { pid, command } of processes.marked(attempt)) {
      findings.push({
        source: "processes",
        where: `process ${pid}`,
        message: `${command} still runs and belongs to attempt ${attempt}, which has ended`,
      });
    }
  }
  const lock = readLock(target.layout.lock);
  const discovery = readJsonIfPresent(layout.coordinator, discoveryFile);
  if (
    lock !== undefined &&
    !lock.released &&
    state.status === "running" &&
    discovery !== undefined &&
    processes.liveness(lock.file.holder) === "alive"
  ) {
    if (discovery.epoch !== lock.epoch) {
      findings.push({
        source: "processes",
        where: layout.coordinator,
        message: `it names epoch ${discovery.epoch}, but the lock is held with epoch ${lock.epoch}`,
      });
    }
  }
  return findings;
}

function attemptsOf(lines: OpenedSession["lines"]): string[] {
  return lines
    .flatMap(({ records }) => records)
    .flatMap(({ type, data }) =>
      type === "task_assigned" || type === "verification_started" ? [data.attempt_id] : [],
    );
}
