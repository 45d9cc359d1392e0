import { rmSync } from "node:fs";
import { join } from "node:path";
import { duration } from "./cold-start.ts";
import { untilAgent } from "./first-agent.ts";
import { makeLongSession } from "./harness/long-session.ts";
import type { Measure } from "./harness/measure.ts";
import { createRoom, type Room, STOPPED } from "./harness/room.ts";
import { median } from "./harness/statistics.ts";

const LINES = 100_000;
const ROUNDS = 5;

/** A long session is opened by those who look at it, and by the coordinator that goes on with it. */
export const load: Measure = {
  name: "load",
  title: "Loading a session with 100,000 journal lines",
  async run(product) {
    const long = await createRoom(product);
    const short = await createRoom(product);
    await makeLongSession(long, { iterations: LINES, remaining: 1 });
    await makeLongSession(short, { iterations: 2, remaining: 1 });
    const anew = (room: Room): number => {
      rmSync(join(room.directory, "home", ".loopwright", "projections"), {
        recursive: true,
        force: true,
      });
      return duration(room, [...product.bundle, "status"]);
    };
    const times = { long: [] as number[], short: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      times.long.push(anew(long));
      times.short.push(anew(short));
    }
    const start = {
      long: await untilAgent(long, () => long.call(["run"], [STOPPED])),
      short: await untilAgent(short, () => short.call(["run"], [STOPPED])),
    };
    const peer = (value: number) => ({ name: "a few lines", value });
    const [whole, base] = [median(times.long), median(times.short)];
    return [
      { what: "read, checked and folded", value: whole - base, unit: "ms", aim: "< 1000 ms" },
      {
        what: "status without a projection, which does that",
        value: whole,
        unit: "ms",
        peer: peer(base),
      },
      {
        what: "run to its next agent, once",
        value: start.long,
        unit: "ms",
        peer: peer(start.short),
      },
    ];
  },
};
