import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Problem } from "@loopwright/protocol";

const MiB = 2 ** 20;
/** Below the floor nothing starts; below the comfort a warning is given. */
const DISK = { floor: 100 * MiB, comfort: 1024 * MiB };
const MEMORY = { floor: 128 * MiB, comfort: 512 * MiB };

/** Whether the runtime root can be written, and whether disk and memory leave room for an agent. */
export function machineProblems({
  root,
  runtimeRoot,
}: {
  root: string;
  runtimeRoot: string;
}): Problem[] {
  const problems: Problem[] = [];
  const place = nearestExisting(runtimeRoot);
  if (!statSync(place).isDirectory() || !isWritable(place)) {
    problems.push({
      severity: "error",
      where: runtimeRoot,
      message: `the runtime root can't be written, because of ${place}`,
      hint: "Choose another with --runtime-root, or change its permissions.",
    });
  }
  const devices = new Set<number>();
  for (const path of [place, nearestExisting(root)]) {
    const { dev } = statSync(path);
    if (devices.has(dev)) continue;
    devices.add(dev);
    const { bavail, bsize } = statfsSync(path);
    problems.push(...tooLittle(bavail * bsize, DISK, path, "free disk space"));
  }
  problems.push(
    ...tooLittle(process.availableMemory(), MEMORY, "this machine", "available memory"),
  );
  return problems;
}

function tooLittle(
  bytes: number,
  { floor, comfort }: typeof DISK,
  where: string,
  what: string,
): Problem[] {
  if (bytes >= comfort) return [];
  const severity = bytes < floor ? "error" : "warning";
  const message = `only ${Math.floor(bytes / MiB)} MiB of ${what}; ${Math.floor(comfort / MiB)} MiB or more are advisable`;
  return [{ severity, where, message, hint: "Make room before an unattended run." }];
}

export function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
