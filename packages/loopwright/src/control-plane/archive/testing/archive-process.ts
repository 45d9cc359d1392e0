/** A real process that archives: `<request as JSON> <faults of its disk as JSON>`. */
import { createProcesses } from "../../../process/processes.ts";
import { systemClock } from "../../../seams/clock.ts";
import { systemIds } from "../../../seams/ids.ts";
import { systemDisk } from "../../../store/disk.ts";
import { createFaultyDisk, type Fault } from "../../../store/testing/faulty-disk.ts";
import { archiveRuntimeGoal, type ArchiveRequest } from "../index.ts";

const [request = "", plan = "[]"] = process.argv.slice(2);
await archiveRuntimeGoal(
  {
    disk: createFaultyDisk(systemDisk, JSON.parse(plan) as Fault[]),
    clock: systemClock,
    ids: systemIds,
    processes: createProcesses(),
  },
  JSON.parse(request) as ArchiveRequest,
);
