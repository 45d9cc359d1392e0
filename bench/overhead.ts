import { runBashLoop } from "./harness/bash-loop.ts";
import type { Measure, Row } from "./harness/measure.ts";
import { createRoom, type Room, STOPPED } from "./harness/room.ts";
import { median, steps } from "./harness/statistics.ts";

const ROUNDS = 3;

/** From one start of the agent to the next, in both loops by turns. */
export const overhead: Measure = {
  name: "overhead",
  title: "Overhead of an iteration",
  async run(product) {
    const room = await createRoom(product);
    const instant = await periods(room, 60);
    room.set("pace", "0.1");
    const paced = await periods(room, 20);
    return [...rows("an instant agent", instant), ...rows("an agent of 100 ms", paced)];
  },
};

interface Periods {
  readonly ours: number;
  readonly plain: number;
}

async function periods(room: Room, iterations: number): Promise<Periods> {
  const ours: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    room.forget();
    runBashLoop(room, iterations);
    plain.push(...steps(room.times().map(({ begun }) => begun)));
    room.forget();
    await room.call(["run", "--new", "--max-iterations", String(iterations)], [STOPPED]);
    ours.push(...steps(room.times().map(({ begun }) => begun)));
  }
  return { ours: median(ours), plain: median(plain) };
}

function rows(agent: string, { ours, plain }: Periods): Row[] {
  const peer = { name: "bash loop", value: plain };
  return [
    { what: `${agent}: overhead`, value: ours - plain, unit: "ms", aim: "< 15 ms" },
    { what: `${agent}: iteration`, value: ours, unit: "ms", peer },
  ];
}
