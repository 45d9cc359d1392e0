import { LoopwrightError } from "@loopwright/protocol";
import type { Assembly } from "./assemble.ts";
import type { Discovery } from "./discovery.ts";
import type { Seams } from "./seams.ts";

/** What nobody tells the coordinator is looked for this often. Monotonic ms. */
const TICK_MS = 1_000;

/** Looks for what people left in files, for space on the disk, and whether the lock still is ours. A few `stat` calls. */
export function startTicking(
  clock: Seams["clock"],
  assembly: Assembly,
  discovery: Discovery,
  signal: AbortSignal,
): void {
  const run = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(TICK_MS, signal);
      if (signal.aborted) return;
      try {
        tick(assembly, discovery);
      } catch (error) {
        if (!(error instanceof LoopwrightError)) throw error;
      }
    }
  };
  run().catch(assembly.onProblem);
}

function tick({ service, space, ledger, ender, onProblem }: Assembly, discovery: Discovery): void {
  const { paused, status, stop_requested } = service.state();
  if (status !== "running") return;
  if (ledger.lost()) return service.giveUp();
  space.prepare();
  space.look();
  discovery.keep();
  const forDisk = paused?.reason === "disk";
  // Resuming takes back a stop that waits, which is nobody's wish here.
  if (space.isBack(forDisk) && forDisk && stop_requested === null) {
    service.commit({ kind: "resume", by: "loopwright", raise: [], reopen: false });
  }
  ender.carryOut().catch(onProblem);
  service.lookAround();
  service.dispatch();
}
