import { readdirSync, readFileSync } from "node:fs";

/** One process as `/proc` shows it, read without the product's code. */
export interface Row {
  readonly pid: number;
  readonly startTime: string;
  readonly arguments: readonly string[];
  readonly environment: string;
}

/** Living processes; a zombie is dead. */
export function listProcesses(): Row[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

export function readProcess(pid: number): Row | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return {
      pid,
      startTime: fields[19] ?? "",
      arguments: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1),
      environment: readFileSync(`/proc/${pid}/environ`, "utf8"),
    };
  } catch {
    return undefined;
  }
}

/** Signals exactly this process, not one that got its number since. */
export function signalProcess(
  { pid, startTime }: Pick<Row, "pid" | "startTime">,
  signal: NodeJS.Signals,
): boolean {
  if (readProcess(pid)?.startTime !== startTime) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
