import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "./random.ts";
import { readWitness, type Role, type Room } from "./room.ts";
import type { Session } from "./session.ts";

/** What can be seen from outside of how far an iteration is. In the order of one iteration. */
export const PHASES = [
  "coordinator_started",
  "worker_seated",
  "task_assigned",
  "prompt.md",
  "process.json",
  "agent start",
  "agent end",
  "exit.json",
  "changes.json",
  "control_taken.json",
  "result.json",
  "task_finished",
  "verification_started",
  "receipt.json",
  "verification_finished",
] as const;

export type Phase = (typeof PHASES)[number];

/** When somebody is killed, and who. */
export interface Moment {
  readonly phase: Phase | "started";
  /** After the phase was seen, in milliseconds. */
  readonly delay: number;
  readonly victims: readonly Role[];
}

const VICTIMS: readonly (readonly Role[])[] = [
  ["worker"],
  ["coordinator"],
  ["run"],
  ["worker", "coordinator"],
  ["run", "worker"],
  ["run", "coordinator"],
  ["run", "worker", "coordinator"],
];

/** Every phase in turn, with a random delay and random victims; each fourth moment hits a start instead. */
export function chooseMoment(random: Random, index: number): Moment {
  const victims = random.pick(VICTIMS);
  if (index % 4 === 3) return { phase: "started", delay: random.below(700), victims };
  const phase = PHASES[(index + Math.floor(index / 4)) % PHASES.length] ?? "task_assigned";
  return { phase, delay: random.pick([0, 0, 1, 3, 10, 30, 80]), victims };
}

/**
 * Names the latest occurrence of a phase: a moment has come when the name is another than before.
 * Files are those of the task that was assigned last.
 */
export function occurrence(room: Room, session: Session, phase: Phase): string | undefined {
  if (phase === "agent start" || phase === "agent end") {
    const event = phase === "agent start" ? "start" : "end";
    return readWitness(room).findLast((line) => line.event === event)?.attempt;
  }
  if (!phase.includes(".")) {
    const count = session.records(phase).length;
    return count === 0 ? undefined : String(count);
  }
  const task = session.lastTask();
  return task !== undefined && existsSync(join(task.directory, phase)) ? task.attempt : undefined;
}
