import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { createProcesses } from "../../../process/processes.ts";
import { systemClock } from "../../../seams/clock.ts";
import { systemIds } from "../../../seams/ids.ts";
import { quickDisk } from "../../../store/testing/quick-disk.ts";
import type { ArchiveRequest } from "../archive-runtime-goal.ts";
import type { RestoreRequest } from "../restore-archived-goal.ts";
import type { ArchiveSeams } from "../seams.ts";
import { fillRoom, placesOf } from "./fill-room.ts";

export const seams: ArchiveSeams = {
  disk: quickDisk,
  clock: systemClock,
  ids: systemIds,
  processes: createProcesses(),
};

/** A project with a registered goal `shop` that has some files, in a temporary directory removed after the test. */
export interface Room {
  readonly directory: string;
  readonly registryPath: string;
  readonly runtimeRoot: string;
  makeGoal(id: string): void;
  /** Default: the goal `shop`, allowed, not executed. */
  request(fields: Partial<ArchiveRequest>): ArchiveRequest;
  restore(name: string): RestoreRequest;
}

const made: string[] = [];
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

export function createRoom(): Room {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-archive-")));
  made.push(directory);
  const { registryPath, runtimeRoot } = placesOf(directory);
  mkdirSync(join(directory, ".loopwright"));
  const goals = [{ id: "shop", repo: directory }];
  writeFileSync(registryPath, JSON.stringify({ common_runtime_root: runtimeRoot, goals }));
  fillRoom(directory, "shop");
  return {
    directory,
    registryPath,
    runtimeRoot,
    makeGoal: (id) => fillRoom(directory, id),
    request: (fields) => ({
      registryPath,
      goalId: "shop",
      allowRegistered: true,
      execute: false,
      home: directory,
      ...fields,
    }),
    restore: (name) => ({ registryPath, name, execute: true, home: directory }),
  };
}
