/**
 * A coordinator as a process of its own: `<runtime root> <repository>`. Each line on stdin is one order: `start` with a
 * session id or without starts one, `close` closes it. Each answer is one JSON line: how it is reached, the code of
 * what refused it, how it ended. Orders come in lines so that several processes can start at the same moment.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { LoopwrightError } from "@loopwright/protocol";
import { createProcesses } from "../../process/processes.ts";
import { systemClock } from "../../seams/clock.ts";
import { systemIds } from "../../seams/ids.ts";
import { systemDisk } from "../../store/disk.ts";
import { type Coordinator, startCoordinator } from "../coordinator.ts";
import { GOAL, planOf, VERSION } from "./room.ts";

const [runtimeRoot = "", repository = ""] = process.argv.slice(2);
const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`);
let running: Coordinator | undefined;

async function start(sessionId: string | undefined): Promise<void> {
  try {
    running = await startCoordinator({
      seams: { clock: systemClock, ids: systemIds, disk: systemDisk, processes: createProcesses() },
      runtimeRoot,
      goalId: GOAL,
      open:
        sessionId === undefined
          ? { kind: "new", plan: planOf(repository, {}) }
          : { kind: "existing", sessionId },
      version: VERSION,
    });
  } catch (error) {
    return say({ refused: error instanceof LoopwrightError ? error.code : String(error) });
  }
  const { url, workerToken, peopleToken, epoch } = running;
  say({ url, workerToken, peopleToken, epoch, sessionId: running.sessionId });
  void running.ended.then((ended) => say("lost" in ended ? { lost: ended.error.code } : ended));
}

say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const [order, sessionId] = line.split(" ");
  if (order === "start") await start(sessionId);
  if (order === "close") await running?.close();
}
