import { runBashLoop } from "./harness/bash-loop.ts";
import type { Measure } from "./harness/measure.ts";
import { createRoom, type Room, STOPPED } from "./harness/room.ts";
import { median } from "./harness/statistics.ts";

const ROUNDS = 9;

/** From the start of `run`, preflight and a new session included, to the agent's first instruction. */
export const firstAgent: Measure = {
  name: "first-agent",
  title: "From `run` to the first agent",
  async run(product) {
    const room = await createRoom(product);
    await start(room);
    const ours: number[] = [];
    const plain: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await start(room));
      plain.push(await untilAgent(room, async () => runBashLoop(room, 1)));
    }
    const peer = { name: "bash loop", value: median(plain) };
    return [{ what: "a new session", value: median(ours), unit: "ms", aim: "< 400 ms", peer }];
  },
};

function start(room: Room): Promise<number> {
  return untilAgent(room, () => room.call(["run", "--new", "--max-iterations", "1"], [STOPPED]));
}

/** Milliseconds. */
export async function untilAgent(room: Room, loop: () => Promise<void>): Promise<number> {
  room.forget();
  const started = Date.now();
  await loop();
  return (room.times()[0]?.begun ?? NaN) - started;
}
