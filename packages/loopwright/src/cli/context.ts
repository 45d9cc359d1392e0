import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { createProcesses, type Processes } from "../process/processes.ts";
import { type Clock, systemClock } from "../seams/clock.ts";
import { type Ids, systemIds } from "../seams/ids.ts";
import { type Disk, systemDisk } from "../store/disk.ts";
import { createOutput, type Output } from "./output/output.ts";

export interface Seams {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly disk: Disk;
  readonly processes: Processes;
}

/** What every command gets. */
export interface Context {
  /** Real path of where the command was given, after `-C`. */
  readonly cwd: string;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly output: Output;
  readonly seams: Seams;
  readonly registryFlag: string | undefined;
  readonly runtimeRootFlag: string | undefined;
  readonly goalFlag: string | undefined;
  readonly debug: boolean;
}

export interface GlobalOptions {
  readonly registry?: string;
  readonly runtimeRoot?: string;
  readonly goal?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
  readonly debug?: boolean;
  readonly C?: string;
}

export function createContext(options: GlobalOptions): Context {
  return {
    cwd: directory(options.C),
    home: homeDirectory(),
    environment: process.env,
    output: createOutput({
      json: options.json ?? false,
      quiet: options.quiet ?? false,
      color: options.color ?? true,
    }),
    seams: { clock: systemClock, ids: systemIds, disk: systemDisk, processes: createProcesses() },
    registryFlag: options.registry,
    runtimeRootFlag: options.runtimeRoot,
    goalFlag: options.goal,
    debug: options.debug ?? false,
  };
}

/** `$HOME`, else the user's entry in the password file. A relative one would name other goals in every directory. */
function homeDirectory(): string {
  const home = homedir();
  if (isAbsolute(home)) return home;
  throw new LoopwrightError("USAGE", `HOME is "${home}", which is not an absolute path`, {
    hint: "Set HOME to the path of your home directory.",
  });
}

function directory(flag: string | undefined): string {
  const path = resolve(flag ?? ".");
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync(path);
  throw new LoopwrightError("USAGE", `-C ${flag ?? "."} is not a directory`, {
    hint: "Name a folder that exists.",
  });
}
