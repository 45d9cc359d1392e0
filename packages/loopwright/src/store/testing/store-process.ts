/**
 * A real process that uses the store: `write <file> <writer> <count>` replaces one file again and again; `append
 * <directory> <writer> <count> <plan>` takes the lock for each line that it appends, on a disk with the faults of the
 * plan (JSON). It prints a line for everything that it was told is on the disk.
 */
import { writeSync } from "node:fs";
import { join } from "node:path";
import type { Liveness, ProcessIdentity } from "@loopwright/protocol";
import { systemDisk } from "../disk.ts";
import { writeDurable } from "../durable-write.ts";
import { openJournal } from "../journal.ts";
import { type Lock, takeLock } from "../lock.ts";
import { createFaultyDisk, type Fault } from "./faulty-disk.ts";

const AT = "2025-01-01T00:00:00.000Z";
const [mode, path = "", writer = "", count = "0", plan = "[]"] = process.argv.slice(2);
const disk = createFaultyDisk(systemDisk, JSON.parse(plan) as Fault[]);
const self: ProcessIdentity = {
  host: "here",
  pid_namespace: "1",
  boot_id: "b",
  pid: process.pid,
  start_time: "1",
};

for (let k = 0; k < Number(count); k += 1) {
  if (mode === "write") {
    writeDurable(disk, path, JSON.stringify({ writer, k, filler: "x".repeat(5_000) }));
  } else {
    await appendUnderLock(k);
  }
  writeSync(1, `${writer} ${k}\n`);
}
writeSync(1, `operations ${disk.operations.length}\n`);

async function appendUnderLock(k: number): Promise<void> {
  const lock = await waitForLock();
  const options = { epoch: lock.epoch, fenced: () => lock.lost() };
  const { journal } = openJournal(disk, join(path, "journal.jsonl"), options);
  const line = journal.append(AT, [{ type: "noted", data: { writer, k } }]);
  journal.close();
  writeDurable(disk, join(path, "state.json"), JSON.stringify({ seq: line.seq }));
  lock.release();
}

async function waitForLock(): Promise<Lock> {
  const options = { liveness, at: AT, purpose: "goal", goalId: "g" } as const;
  for (;;) {
    const result = takeLock(disk, join(path, "locks", "coordinator"), self, options);
    if (result.ok) return result.lock;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function liveness({ pid }: ProcessIdentity): Liveness {
  try {
    process.kill(pid, 0);
    return "alive";
  } catch {
    return "dead";
  }
}
