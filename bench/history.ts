import { makeLongSession } from "./harness/long-session.ts";
import type { Measure } from "./harness/measure.ts";
import { createRoom, type Room, STOPPED } from "./harness/room.ts";
import { median, steps } from "./harness/statistics.ts";

const ROUNDS = 4;
const ITERATIONS = 30;

/** Real iterations on top of a short and of a long history, by turns. */
export const history: Measure = {
  name: "history",
  title: "What an iteration costs late in a session",
  async run(product) {
    const short = await createRoom(product);
    const long = await createRoom(product);
    await makeLongSession(short, { iterations: 100, remaining: ITERATIONS });
    await makeLongSession(long, { iterations: 10_000, remaining: ITERATIONS });
    const early: number[] = [];
    const late: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      early.push(...(await goOn(short, round)));
      late.push(...(await goOn(long, round)));
    }
    const peer = { name: "iteration 100", value: median(early) };
    return [{ what: "iteration 10,000", value: median(late), unit: "ms", aim: "equal", peer }];
  },
};

async function goOn(room: Room, round: number): Promise<number[]> {
  room.forget();
  const more = ["resume", "--max-iterations", `+${ITERATIONS}`];
  await room.call(round === 0 ? ["run"] : more, [STOPPED]);
  return steps(room.times().map(({ begun }) => begun));
}
