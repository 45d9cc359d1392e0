import { describe, expect, test } from "vitest";
import { diagnosis } from "./harness/diagnosis.ts";
import { expectGoodEnd, sessionOf } from "./harness/ending.ts";
import { chooseMoment, type Moment, occurrence } from "./harness/moments.ts";
import { signalProcess } from "./harness/process-table.ts";
import type { Program } from "./harness/program.ts";
import { createRandom } from "./harness/random.ts";
import { createRoom, type Role, roleOf, type Room } from "./harness/room.ts";
import { sleep, until } from "./harness/wait.ts";

/** The same seed chooses the same moments again: LOOPWRIGHT_CRASH_SEED=… ./dev test tests/crash/kill-anywhere */
const SEED = Number(process.env["LOOPWRIGHT_CRASH_SEED"] ?? Date.now() % 1_000_000);
const MOMENTS = Number(process.env["LOOPWRIGHT_CRASH_MOMENTS"] ?? 200);
const SESSIONS = 5;

describe(`kill -9 at ${MOMENTS} moments, seed ${SEED}`, () => {
  for (let number = 0; number < SESSIONS; number += 1) {
    const from = Math.floor((MOMENTS * number) / SESSIONS);
    const to = Math.floor((MOMENTS * (number + 1)) / SESSIONS);
    test(
      `nothing is lost and nothing done twice when worker, coordinator and run are killed at moments ${from + 1} to ${to}`,
      { timeout: 900_000 },
      async () => {
        const random = createRandom(SEED + number);
        const room = await createRoom({ set: number % 2 === 0 ? "single" : "team" });
        room.set("claims", true);
        try {
          let run = room.start(["run"]);
          await until("the session", () => room.session()?.lastTask());
          for (let index = from; index < to; index += 1) {
            room.set("pace", String(random.pick([0, 0, 5, 20, 60])));
            // Guidance isn't lost either, whoever lives to hear it.
            if (index % 10 === 5)
              expect(await room.call(["update", `Mind ${index}.`])).toMatchObject({ code: 0 });
            run = await killAt(room, run, chooseMoment(random, index), index);
          }
          await expectGoodEnd(room, { run: run.ended() ? goOn(room, run) : run });
        } finally {
          await room.close();
        }
      },
    );
  }
});

/** Waits for the moment, kills, and starts `run` again where it is gone. Returns the `run` that is in charge then. */
async function killAt(room: Room, run: Program, moment: Moment, index: number): Promise<Program> {
  const where = `moment ${index + 1} (seed ${SEED}): ${moment.victims.join(", ")} ${moment.delay} ms after ${moment.phase}`;
  try {
    let inCharge = run;
    const before = occurrenceOf(room, moment.phase);
    // What only a restart brings about needs one.
    if (RESTARTS.has(moment.phase)) kill(room, ["worker", "coordinator"]);
    // After five crashes in a row without an iteration in between, `run` hands over to its user: us.
    await until(`the next ${moment.phase}`, () => {
      if (inCharge.ended()) inCharge = goOn(room, inCharge);
      return moment.phase === "started" || occurrenceOf(room, moment.phase) !== before;
    });
    await sleep(moment.delay);
    kill(room, moment.victims);
    if (!moment.victims.includes("run")) return inCharge;
    await inCharge.exited;
    return room.start(["run"]);
  } catch (error) {
    throw new Error(`${where}: ${(error as Error).message}\n${diagnosis(room)}`, { cause: error });
  }
}

/** The only reasons for which a `run` may end before its session does and leave the rest to us. */
function goOn(room: Room, run: Program): Program {
  const said = run.stderr();
  if (!/RUN_GAVE_UP|COORDINATOR_GONE/.test(said)) throw new Error(`run ended: ${said}`);
  return room.start(["run"]);
}

const RESTARTS: ReadonlySet<string> = new Set(["coordinator_started", "worker_seated"]);

function kill(room: Room, roles: readonly Role[]): void {
  const rows = room.processes();
  for (const role of roles)
    for (const row of rows) if (roleOf(row) === role) signalProcess(row, "SIGKILL");
}

function occurrenceOf(room: Room, phase: Moment["phase"]): string | undefined {
  return phase === "started" ? undefined : occurrence(room, sessionOf(room), phase);
}
