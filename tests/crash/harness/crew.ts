import type { Fault, Plan } from "../fixtures/faults.ts";
import { diagnosis } from "./diagnosis.ts";
import { signalProcess } from "./process-table.ts";
import type { Program } from "./program.ts";
import { readWitness, type Role, type Room, type Witnessed } from "./room.ts";
import type { Session } from "./session.ts";
import { until } from "./wait.ts";

/** Starts a coordinator and waits until it serves. */
export async function startCoordinator(room: Room, plan?: Plan): Promise<Program> {
  const program = room.start(["coordinator"], plan === undefined ? {} : { plan });
  await until("the coordinator to serve", () => serves(room, program) || refuseEnd(program));
  return program;
}

export function serves(room: Room, { pid }: Program): boolean {
  const identity = room.session()?.json("coordinator.json")?.["identity"] as
    | { pid?: number }
    | undefined;
  return identity?.pid === pid;
}

export function startWorker(room: Room, plan?: Plan): Program {
  return room.start(["worker"], plan === undefined ? {} : { plan });
}

/** Starts a coordinator that dies by what the plan says, and waits for that. */
export async function coordinatorThatDies(room: Room, ...faults: Fault[]): Promise<void> {
  await death(room.start(["coordinator"], { plan: { faults } }));
}

export async function workerThatDies(room: Room, ...faults: Fault[]): Promise<void> {
  await death(startWorker(room, { faults }));
}

/** Waits until the program was killed by its plan; another end is a failure. */
export async function death(program: Program): Promise<void> {
  await until("the program to end", () => program.ended());
  const end = await program.exited;
  if (end !== "SIGKILL")
    throw new Error(`It ended with ${end} instead of being killed: ${program.stderr()}`);
}

/** Exit code or signal, once it has ended by itself. */
export async function ending(room: Room, program: Program): Promise<number | string> {
  await until("the program to end", () => program.ended()).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}\n${diagnosis(room)}`);
  });
  return program.exited;
}

export async function kill(program: Program): Promise<void> {
  signalProcess(program, "SIGKILL");
  await program.exited;
}

export function killAll(room: Room, ...roles: Role[]): void {
  for (const role of roles) for (const row of room.withRole(role)) signalProcess(row, "SIGKILL");
}

/** The n-th start of an agent that the witness saw, from 1. */
export function agentStart(room: Room, n = 1): Promise<Witnessed> {
  return until(
    `agent ${n} to start`,
    () => readWitness(room).filter(({ event }) => event === "start")[n - 1],
  );
}

export function record(
  session: Session,
  type: string,
  n = 1,
): Promise<Readonly<Record<string, unknown>>> {
  return until(`${type} ${n}`, () => session.records(type)[n - 1]?.data);
}

function refuseEnd(program: Program): false {
  if (program.ended()) throw new Error(`It ended instead: ${program.stderr()}`);
  return false;
}
