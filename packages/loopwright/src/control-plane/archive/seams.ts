import type { Processes } from "../../process/processes.ts";
import type { Ids } from "../../seams/ids.ts";
import type { FileSeams } from "../shared-file.ts";

export interface ArchiveSeams extends FileSeams {
  readonly ids: Ids;
  readonly processes: Pick<Processes, "self" | "liveness" | "marked">;
}
