import { duration } from "./cold-start.ts";
import { loadProjection } from "../packages/loopwright/src/control-plane/projection/index.ts";
import { createProcesses } from "../packages/loopwright/src/process/processes.ts";
import { systemClock } from "../packages/loopwright/src/seams/clock.ts";
import { makeManyGoals } from "./harness/many-goals.ts";
import type { Measure, Row } from "./harness/measure.ts";
import { createRoom } from "./harness/room.ts";
import { median } from "./harness/statistics.ts";

const ROUNDS = 7;
const READINGS = 200;
const AIMS: ReadonlyMap<number, string> = new Map([
  [1, "< 150 ms"],
  [100, "< 170 ms"],
  [1_000, "< 300 ms"],
  [10_000, "< 1,500 ms"],
]);

/** Goals of ten runs each, all of one project, by turns. */
export const goals: Measure = {
  name: "goals",
  title: "Status over many goals",
  async run(product) {
    const room = await createRoom(product);
    const alone = await createRoom(product);
    const sizes = [...AIMS.keys()];
    const many = await makeManyGoals(room, Math.max(...sizes));
    const one = await makeManyGoals(alone, 1);
    const found = new Map<number, number[]>(sizes.map((size) => [size, []]));
    const named: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      for (const size of sizes) {
        many.list(size);
        const took = duration(room, [...product.bundle, "status"]);
        if (round > 0) found.get(size)?.push(took);
      }
      const took = duration(room, [...product.bundle, "status", many.ids[0] ?? ""]);
      if (round > 0) named.push(took);
      bare.push(duration(room, ["--eval", "0"]));
    }
    const peer = { name: "bare Node", value: median(bare) };
    const rows = sizes.map((size): Row => {
      const aim = AIMS.get(size) ?? "";
      return {
        what: `status, ${size} goals`,
        value: median(found.get(size) ?? []),
        unit: "ms",
        aim,
        peer,
      };
    });
    const [few, lots] = [readings(one.runtimeRoot, one.ids), readings(many.runtimeRoot, many.ids)];
    return [
      ...rows,
      { what: "status GOAL, one of 10,000", value: median(named), unit: "ms", peer },
      {
        what: "reading one goal of 10,000",
        value: lots,
        unit: "µs",
        aim: "equal",
        peer: { name: "of 1", value: few },
      },
    ];
  },
};

/** µs for one goal, in a process that runs already. */
function readings(runtimeRoot: string, ids: readonly string[]): number {
  const seams = { clock: systemClock, processes: createProcesses() };
  const id = ids[Math.floor(ids.length / 2)] ?? "";
  const times = Array.from({ length: READINGS }, () => {
    const started = performance.now();
    loadProjection(runtimeRoot, id, seams);
    return (performance.now() - started) * 1000;
  });
  return median(times);
}
