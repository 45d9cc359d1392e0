import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { Measure, Row } from "./harness/measure.ts";
import { createRoom, type Room, STOPPED } from "./harness/room.ts";

const ROLES = ["coordinator", "worker"] as const;
const CALM_MS = 1_500;

/** Resident memory while an agent works and nothing else happens, in one session. */
export const memory: Measure = {
  name: "memory",
  title: "Memory",
  async run(product) {
    const room = await createRoom(product);
    const stops = [1, 100, 1000] as const;
    for (const stop of stops) room.set(`hold/${stop}`, "");
    const run = room.start(["run", "--max-iterations", "1000"]);
    run.stderr?.resume();
    const ended = once(run, "exit");
    const samples: Record<Role, number>[] = [];
    try {
      for (const stop of stops) {
        await held(room, stop, () => run.exitCode === null && run.signalCode === null);
        await setTimeout(CALM_MS);
        samples.push(residentOf(run.pid ?? 0));
        room.unset(`hold/${stop}`);
      }
    } catch (error) {
      run.kill();
      throw error;
    } finally {
      await ended;
    }
    if (run.exitCode !== STOPPED) throw new Error(`run ended with ${run.exitCode}`);
    return ROLES.flatMap((role) =>
      rows(
        role,
        samples.map((sample) => sample[role]),
      ),
    );
  },
};

type Role = (typeof ROLES)[number];

function rows(role: Role, [idle = NaN, early = NaN, late = NaN]: readonly number[]): Row[] {
  const peer = { name: "iteration 100", value: early };
  return [
    { what: `${role} at iteration 1`, value: idle, unit: "MB", aim: "< 80 MB" },
    { what: `${role} at iteration 1,000`, value: late, unit: "MB", aim: "< 80 MB, flat", peer },
  ];
}

async function held(room: Room, iteration: number, goesOn: () => boolean): Promise<void> {
  while (!room.has(`held/${iteration}`)) {
    if (!goesOn()) throw new Error(`run ended before iteration ${iteration}`);
    await setTimeout(20);
  }
}

/** Of the children that `run` started. */
function residentOf(run: number): Record<Role, number> {
  const table = execFileSync("ps", ["-e", "-o", "ppid=,rss=,args="], { encoding: "utf8" });
  const resident = { coordinator: NaN, worker: NaN };
  for (const line of table.split("\n")) {
    const [, parent, kilobytes, words = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (Number(parent) !== run) continue;
    for (const role of ROLES)
      if (words.includes(`${role} --ordered`)) resident[role] = (Number(kilobytes) * 1024) / 1e6;
  }
  return resident;
}
