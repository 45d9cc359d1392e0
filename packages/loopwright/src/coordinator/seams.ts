import type { Processes } from "../process/processes.ts";
import type { Clock } from "../seams/clock.ts";
import type { Ids } from "../seams/ids.ts";
import type { Disk } from "../store/disk.ts";

/** The world as the coordinator sees it, injected. */
export interface Seams {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly disk: Disk;
  readonly processes: Processes;
}
