import type { Processes } from "../process/processes.ts";
import type { Clock } from "../seams/clock.ts";
import type { Ids } from "../seams/ids.ts";
import type { Disk } from "../store/disk.ts";

/** The world as a worker sees it, injected. */
export interface WorkerSeams {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly disk: Disk;
  readonly processes: Processes;
}
