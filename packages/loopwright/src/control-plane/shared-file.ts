import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import type { Processes } from "../process/processes.ts";
import { type Clock, timestamp } from "../seams/clock.ts";
import type { Disk } from "../store/disk.ts";
import { makeDirectoryDurable, writeDurable } from "../store/durable-write.ts";
import { type Lock, takeLock } from "../store/lock.ts";
import { readText } from "../store/read.ts";

export interface FileSeams {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: Pick<Processes, "self" | "liveness">;
}

/** How long one and the same writer is waited for. A write takes milliseconds. */
const PATIENCE_MS = 5000;

/**
 * Changes a file that several programs write: under a lock beside it, from what stands there now, in one atomic
 * replacement. `change` gets undefined when there is no file, and returns undefined to leave everything as it is.
 * Throws LOCK_HELD when another writer doesn't come to an end.
 */
export async function changeSharedFile(
  seams: FileSeams,
  path: string,
  change: (text: string | undefined) => string | undefined,
): Promise<void> {
  makeDirectoryDurable(seams.disk, dirname(path));
  await changeExistingFile(seams, path, change);
}

/** The same for a file whose directory nobody may make anew: without it, `change` gets undefined and nothing is written. */
export async function changeExistingFile(
  seams: FileSeams,
  path: string,
  change: (text: string | undefined) => string | undefined,
): Promise<void> {
  if (statSync(dirname(path), { throwIfNoEntry: false }) === undefined) {
    change(undefined);
    return;
  }
  const lock = await waitForLock(seams, path);
  try {
    const text = change(readText(path));
    if (text !== undefined) writeDurable(seams.disk, path, text);
  } finally {
    lock.release();
  }
}

async function waitForLock({ disk, clock, processes }: FileSeams, path: string): Promise<Lock> {
  const name = basename(path);
  const base = join(dirname(path), `.${name}.locks`, name);
  let waited = { epoch: 0, until: 0 };
  for (;;) {
    const taken = takeLock(disk, base, processes.self(), {
      liveness: (holder) => processes.liveness(holder),
      at: timestamp(clock),
      purpose: "file",
      goalId: name,
    });
    if (taken.ok) return taken.lock;
    const now = clock.monotonic();
    // Others that come and go make it slow, not hopeless.
    if (taken.epoch !== waited.epoch) waited = { epoch: taken.epoch, until: now + PATIENCE_MS };
    if (now >= waited.until) {
      throw new LoopwrightError(
        "LOCK_HELD",
        `${path} is being changed by process ${taken.holder.pid} on ${taken.holder.host}, which doesn't come to an end`,
        { where: path, hint: "Try again when that process has ended." },
      );
    }
    await clock.sleep(10);
  }
}
