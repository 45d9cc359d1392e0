import { LoopwrightError, type Liveness, type ProcessIdentity } from "@loopwright/protocol";
import { createDarwinProcesses } from "./darwin.ts";
import { createLinuxProcesses } from "./linux.ts";

/** One living process as the table shows it. Zombies are dead and never listed. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** `R`, `S`, `D`, `T`, … as the platform names it. */
  readonly state: string;
  /** As in `ProcessIdentity`. Grows with time, so that a child's is never below its parent's. */
  readonly start_time: string;
  /** For people: argv joined with spaces, at most 200 characters. `list()` gives the short name only. */
  readonly command: string;
}

export interface ListeningSocket {
  readonly pid: number;
  readonly port: number;
}

/**
 * The process table. Every method is synchronous, reads the table anew and copes with processes that vanish
 * meanwhile or belong to other users. Nothing here signals by number alone.
 */
export interface Processes {
  self(): ProcessIdentity;
  /** `undefined`: no such process, a zombie, or one that can't be seen. Ask `liveness` before calling it dead. */
  identity(pid: number): ProcessIdentity | undefined;
  liveness(identity: ProcessIdentity): Liveness;
  info(pid: number): ProcessInfo | undefined;
  list(): ProcessInfo[];
  /**
   * All processes whose environment has this value in `variable` (default `MARKER`), as they were started with.
   * Environments of other users aren't readable.
   */
  marked(marker: string, variable?: string): ProcessInfo[];
  /** Children, grandchildren, … of these, without them. Re-parented ones are lost to this; see `marked`. */
  descendants(pids: readonly number[]): ProcessInfo[];
  /** TCP ports that these listen on. */
  listening(pids: readonly number[]): ListeningSocket[];
  /** Sends after verifying the start time. `false`: gone, another process by now, ourselves, or not permitted. */
  signal(target: ProcessIdentity, signal: NodeJS.Signals): boolean;
  /** Signals the whole group that this living process leads; `false` if it doesn't live or lead, or is our group. */
  signalGroup(leader: ProcessIdentity, signal: NodeJS.Signals): boolean;
}

export function createProcesses(platform: NodeJS.Platform = process.platform): Processes {
  if (platform === "linux") return createLinuxProcesses();
  if (platform === "darwin") return createDarwinProcesses();
  throw new LoopwrightError(
    "PLATFORM_UNSUPPORTED",
    `Loopwright cannot supervise agents on "${platform}".`,
    { hint: "Run it on Linux or macOS; on Windows inside WSL 2." },
  );
}
