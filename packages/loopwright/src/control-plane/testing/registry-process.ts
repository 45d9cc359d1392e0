/** A real process that changes goals of a registry, one rewrite each: `<registry> <first> <count>`. */
import { createProcesses } from "../../process/processes.ts";
import { systemClock } from "../../seams/clock.ts";
import { systemDisk } from "../../store/disk.ts";
import { changeRegistry } from "../change-registry.ts";

const [path = "", first = "0", count = "0"] = process.argv.slice(2);
const seams = { disk: systemDisk, clock: systemClock, processes: createProcesses() };
for (let k = Number(first); k < Number(first) + Number(count); k += 1) {
  await changeRegistry(seams, path, (registry) => ({
    ...registry,
    goals: registry.goals.map((goal) =>
      goal.id === `goal-${k}` ? { ...goal, title: `changed ${k}` } : goal,
    ),
  }));
}
